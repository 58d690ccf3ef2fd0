import { describe, expect, test } from 'vitest';
import { setUserEnabled } from '../../../../server/flows/users/enable-user.ts';
import { challengeLifeMs } from '../../../../server/identity/challenge.ts';
import { passkeyLimits } from '../../../../server/identity/passkey.ts';
import { questionLimits } from '../../../../server/identity/question-limit.ts';
import { sessionLimits } from '../../../../server/identity/session.ts';
import { accountSchema } from '../../../../shared/console/account.ts';
import { passkeyQuestionSchema } from '../../../../shared/console/sign-in.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../../support/callers/api.ts';
import { countChallenges } from '../../../support/console/count-challenges.ts';
import { SoftwarePasskey } from '../../../support/console/software-passkey.ts';
import {
  addMember,
  field,
  goodPassword,
  signedIn,
  textField,
  Visitor,
} from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();

describeApi(
  (api) => {
    const here = () => ({ origin: api.app.baseUrl });
    const questionOf = (answer: Answer) => passkeyQuestionSchema.parse(answer.body);
    /** Somebody with a passkey. */
    const equipped = async () => {
      const user = await addMember(api.app);
      const visitor = await signedIn(api.app, user);
      const passkey = new SoftwarePasskey();
      const answer = await register(visitor, passkey);
      expect(answer.status).toBe(200);
      return { user, visitor, passkey, handle: textField(answer, 'id') };
    };
    const register = async (visitor: Visitor, passkey: SoftwarePasskey, options = here()) => {
      const { secret, options: question } = questionOf(
        await visitor.post('/account/passkeys/question'),
      );
      const answer = passkey.register(question, options);
      return visitor.post('/account/passkeys', { secret, name: 'Laptop', answer });
    };
    const begin = async () => {
      const visitor = new Visitor(api.app.baseUrl);
      return { visitor, ...questionOf(await visitor.post('/sign-in/passkey/question')) };
    };
    const refused = { status: 401, code: 'unauthorized' };

    test('asks for a discoverable passkey that verifies its user, on this host', async () => {
      const user = await addMember(api.app);
      const visitor = await signedIn(api.app, user);
      const { options } = questionOf(await visitor.post('/account/passkeys/question'));
      expect(options).toMatchObject({
        rp: { id: '127.0.0.1', name: 'Tintype' },
        user: { name: user.email },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    });

    describe('signing in', () => {
      test('stores no more questions of one network than its limit', async () => {
        const { atOnceMax, refillMs } = questionLimits;
        // What the tests before have taken is free again.
        clock.advance(atOnceMax * refillMs);
        for (let n = 0; n < atOnceMax; n++) await begin();
        const before = await countChallenges(api.app.database);
        const answer = await new Visitor(api.app.baseUrl).post('/sign-in/passkey/question');
        expect(outcomeOf(answer)).toEqual({ status: 429, code: 'rate_limit', param: null });
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(await countChallenges(api.app.database)).toBe(before);
        clock.advance(atOnceMax * refillMs);
        await begin();
      });

      test('needs no address and no code', async () => {
        const { user, passkey } = await equipped();
        const { visitor, secret, options } = await begin();
        const answer = passkey.use(options, here());
        const signIn = await visitor.post('/sign-in/passkey', { secret, answer });
        expect(signIn.body).toEqual({ kind: 'signed_in' });
        expect((await visitor.get('/bootstrap')).body).toMatchObject({
          user: { email: user.email },
        });
        expect(field(await visitor.get('/account'), 'sessions')).toContainEqual(
          expect.objectContaining({ method: 'passkey', is_current: true }),
        );
      });

      test('takes each answer once', async () => {
        const { passkey } = await equipped();
        const { visitor, secret, options } = await begin();
        const answer = passkey.use(options, here());
        await visitor.post('/sign-in/passkey', { secret, answer });
        expect(outcomeOf(await visitor.post('/sign-in/passkey', { secret, answer }))).toMatchObject(
          refused,
        );
      });

      test('has five minutes', async () => {
        const { passkey } = await equipped();
        const inTime = await begin();
        const late = await begin();
        clock.advance(challengeLifeMs.passkey_sign_in - 1);
        const give = ({ visitor, secret, options }: typeof inTime) =>
          visitor.post('/sign-in/passkey', { secret, answer: passkey.use(options, here()) });
        expect((await give(inTime)).status).toBe(200);
        clock.advance(1);
        expect(outcomeOf(await give(late))).toMatchObject(refused);
      });

      test('refuses an answer to another question', async () => {
        const { passkey } = await equipped();
        const [first, second] = [await begin(), await begin()];
        const answer = passkey.use(first.options, here());
        const crossed = await second.visitor.post('/sign-in/passkey', {
          secret: second.secret,
          answer,
        });
        expect(outcomeOf(crossed)).toMatchObject(refused);
      });

      test.each([
        ['made on another site', { origin: 'https://evil.example' }],
        ['made on another port', { origin: 'http://127.0.0.1:1' }],
      ])('refuses an answer %s', async (_what, options) => {
        const { passkey } = await equipped();
        const { visitor, secret, options: question } = await begin();
        const answer = passkey.use(question, options);
        expect(outcomeOf(await visitor.post('/sign-in/passkey', { secret, answer }))).toMatchObject(
          refused,
        );
      });

      test('refuses a device that did not verify its user', async () => {
        const { passkey } = await equipped();
        const { visitor, secret, options } = await begin();
        const answer = passkey.use(options, { ...here(), isVerified: false });
        expect(outcomeOf(await visitor.post('/sign-in/passkey', { secret, answer }))).toMatchObject(
          refused,
        );
      });

      test('refuses a passkey whose counter goes back: it is a copy', async () => {
        const { passkey } = await equipped();
        const use = async (counter: number) => {
          passkey.counter = counter;
          const { visitor, secret, options } = await begin();
          return visitor.post('/sign-in/passkey', { secret, answer: passkey.use(options, here()) });
        };
        expect((await use(10)).status).toBe(200);
        expect((await use(5)).status).toBe(401);
        expect((await use(11)).status).toBe(200);
      });

      test('refuses another’s key under this passkey’s ID, and a handle of somebody else', async () => {
        const { passkey } = await equipped();
        const thief = new SoftwarePasskey();
        thief.userHandle = passkey.userHandle;
        const first = await begin();
        const forged = {
          ...thief.use(first.options, here()),
          id: passkey.id.toString('base64url'),
        };
        const { visitor, secret } = first;
        expect((await visitor.post('/sign-in/passkey', { secret, answer: forged })).status).toBe(
          401,
        );
        const second = await begin();
        passkey.userHandle = Buffer.from(api.user.id).toString('base64url');
        const answer = passkey.use(second.options, here());
        const misled = await second.visitor.post('/sign-in/passkey', {
          secret: second.secret,
          answer,
        });
        expect(misled.status).toBe(401);
      });

      test('refuses a disabled user', async () => {
        const { user, passkey } = await equipped();
        await setUserEnabled(api.app.admin, user.id, false);
        const { visitor, secret, options } = await begin();
        const answer = passkey.use(options, here());
        expect(outcomeOf(await visitor.post('/sign-in/passkey', { secret, answer }))).toMatchObject(
          refused,
        );
      });
    });

    describe('registering', () => {
      test.each([
        ['on another site', { origin: 'https://evil.example' }],
        ['without verifying its user', { isVerified: false }],
      ])('refuses a passkey made %s', async (_what, options) => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        const answer = await register(visitor, new SoftwarePasskey(), { ...here(), ...options });
        expect(answer.status).toBe(400);
      });

      test('refuses the answer to somebody else’s question', async () => {
        const [one, two] = [
          await signedIn(api.app, await addMember(api.app)),
          await signedIn(api.app, await addMember(api.app)),
        ];
        const { secret, options } = questionOf(await one.post('/account/passkeys/question'));
        const answer = new SoftwarePasskey().register(options, here());
        const given = await two.post('/account/passkeys', { secret, name: 'Mine', answer });
        expect(given.status).toBe(400);
      });

      test('refuses the same passkey twice', async () => {
        const { visitor, passkey } = await equipped();
        expect((await register(visitor, passkey)).status).toBe(400);
      });
    });

    test(`are at most ${passkeyLimits.perUserMax}, also when two are being added`, async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      const ask = () => visitor.post('/account/passkeys/question');
      const give = (question: Answer) => {
        const { secret, options } = questionOf(question);
        const answer = new SoftwarePasskey().register(options, here());
        return visitor.post('/account/passkeys', { secret, name: 'One', answer });
      };
      for (let i = 1; i < passkeyLimits.perUserMax; i++) await give(await ask());
      const [last, tooMany] = [await ask(), await ask()];
      expect((await give(last)).status).toBe(200);
      expect(outcomeOf(await give(tooMany))).toEqual(wrong(null));
      expect(outcomeOf(await ask())).toEqual(wrong(null));
      const { passkeys } = accountSchema.parse((await visitor.get('/account')).body);
      expect(passkeys).toHaveLength(passkeyLimits.perUserMax);
      await visitor.ask('DELETE', `/account/passkeys/${passkeys[0]?.id}`);
      expect((await give(await ask())).status).toBe(200);
    });

    describe('the list', () => {
      test('is renamed and shortened by its user', async () => {
        const { visitor, handle, passkey } = await equipped();
        const path = `/account/passkeys/${handle}`;
        expect((await visitor.ask('PATCH', path, { body: { name: 'Phone' } })).status).toBe(200);
        expect(field(await visitor.get('/account'), 'passkeys')).toMatchObject([{ name: 'Phone' }]);
        expect((await visitor.ask('DELETE', path)).status).toBe(200);
        const { visitor: other, secret, options } = await begin();
        const answer = passkey.use(options, here());
        expect((await other.post('/sign-in/passkey', { secret, answer })).status).toBe(401);
      });

      test('is nobody else’s', async () => {
        const { handle } = await equipped();
        const stranger = await signedIn(api.app, await addMember(api.app));
        const path = `/account/passkeys/${handle}`;
        expect((await stranger.ask('DELETE', path)).status).toBe(404);
        expect((await stranger.ask('PATCH', path, { body: { name: 'Mine' } })).status).toBe(404);
      });
    });

    test('proves that it is its user, not somebody else', async () => {
      const { visitor, passkey } = await equipped();
      const stranger = await equipped();
      clock.advance(sessionLimits.provenMs);
      const prove = async (which: SoftwarePasskey, asked = visitor) => {
        const { secret, options } = questionOf(await asked.post('/prove/question'));
        const answer = which.use(options, here());
        return (await visitor.post('/prove', { kind: 'passkey', secret, answer })).status;
      };
      expect(await prove(stranger.passkey)).toBe(400);
      expect(await prove(passkey, stranger.visitor)).toBe(400);
      expect((await visitor.post('/account/password', { password: goodPassword })).status).toBe(
        403,
      );
      passkey.counter = 10;
      expect(await prove(passkey)).toBe(200);
      expect((await visitor.post('/account/password', { password: goodPassword })).status).toBe(
        200,
      );
      // As a copy of it would.
      passkey.counter = 5;
      expect(await prove(passkey)).toBe(400);
    });
  },
  { clock },
);
