import { randomBytes } from 'node:crypto';
import { generateSync } from 'otplib/functional';
import { describe, expect, test } from 'vitest';
import { removeAuthenticator } from '../../../../server/flows/sign-in/change-authenticator.ts';
import { issuePasswordReset } from '../../../../server/flows/sign-in/reset-password.ts';
import { listStoredSecrets } from '../../../../server/flows/stored-secrets.ts';
import { setUserEnabled } from '../../../../server/flows/users/enable-user.ts';
import { challengeLifeMs } from '../../../../server/identity/challenge.ts';
import { recoveryCodesMade } from '../../../../server/identity/recovery-code.ts';
import { countRecoveryCodes } from '../../../../server/identity/recovery-code-store.ts';
import { masterKeyBytes, SecretBox } from '../../../../server/lib/secret-box.ts';
import { newAuthenticatorSchema, recoveryCodesSchema } from '../../../../shared/console/account.ts';
import type { TestUser } from '../../../support/app.ts';
import { describeApi, errorOf, outcomeOf, wrong } from '../../../support/callers/api.ts';
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
const stepMs = 30_000;

describeApi(
  (api) => {
    /** Somebody with an authenticator, and its secret. */
    const equipped = async () => {
      const user = await addMember(api.app);
      const visitor = await signedIn(api.app, user);
      const begun = newAuthenticatorSchema.parse(
        (await visitor.post('/account/authenticator')).body,
      );
      const { secret } = begun;
      const confirmed = await visitor.post('/account/authenticator/confirm', {
        code: codeOf(secret),
      });
      const { recovery_codes: codes } = recoveryCodesSchema.parse(confirmed.body);
      // The code that confirmed it is used up.
      clock.advance(stepMs);
      return { user, visitor, secret, codes };
    };
    const codeOf = (secret: string, steps = 0) =>
      generateSync({ secret, epoch: Math.floor(clock.now() / 1000) + steps * 30 });
    /** The first step: the right password. */
    const begin = async ({ email }: Pick<TestUser, 'email'>) => {
      const visitor = new Visitor(api.app.baseUrl);
      const answer = await visitor.post('/sign-in', { email, password: goodPassword });
      expect(field(answer, 'kind')).toBe('second_factor');
      expect(visitor.cookies.size).toBe(0);
      const secret = textField(answer, 'secret');
      return {
        visitor,
        give: (code: string) => visitor.post('/sign-in/second-factor', { secret, code }),
      };
    };

    describe('setting an authenticator up', () => {
      test('shows the secret as text, address and picture, once', async () => {
        const user = await addMember(api.app);
        const visitor = await signedIn(api.app, user);
        const answer = await visitor.post('/account/authenticator');
        const { secret, uri, qr } = newAuthenticatorSchema.parse(answer.body);
        expect(uri).toBe(
          `otpauth://totp/Tintype:${encodeURIComponent(user.email)}?secret=${secret}&issuer=Tintype`,
        );
        expect(qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
        expect(qr.size).toBeGreaterThan(20);
        expect(field(await visitor.get('/account'), 'authenticator')).toBeNull();
      });

      test('asks for nothing until a first code has confirmed it', async () => {
        const user = await addMember(api.app);
        const visitor = await signedIn(api.app, user);
        await visitor.post('/account/authenticator');
        const guess = await visitor.post('/account/authenticator/confirm', { code: '000000' });
        expect(outcomeOf(guess)).toMatchObject({ status: 400, param: 'code' });
        await signedIn(api.app, user);
      });

      test('begins anew where it was not confirmed, and not where it was', async () => {
        const { visitor, secret } = await equipped();
        expect((await visitor.post('/account/authenticator')).status).toBe(400);
        const again = await visitor.post('/account/authenticator/confirm', {
          code: codeOf(secret),
        });
        expect(outcomeOf(again)).toEqual(wrong(null));
        const other = await signedIn(api.app, await addMember(api.app));
        const first = textField(await other.post('/account/authenticator'), 'secret');
        const second = textField(await other.post('/account/authenticator'), 'secret');
        expect(second).not.toBe(first);
        const confirm = (code: string) => other.post('/account/authenticator/confirm', { code });
        expect((await confirm(codeOf(first))).status).toBe(400);
        expect((await confirm(codeOf(second))).status).toBe(200);
      });

      test('stores neither the secret nor the codes as they are, and finds it for a new master key', async () => {
        const { user, secret, codes } = await equipped();
        const { kysely } = api.app.database;
        const rows = [
          await kysely.selectFrom('authenticators').selectAll().execute(),
          await kysely.selectFrom('recovery_codes').selectAll().execute(),
          await kysely.selectFrom('audit_entries').selectAll().execute(),
        ];
        const stored = JSON.stringify(rows);
        expect(stored).toContain(user.id);
        for (const each of [secret, ...codes]) expect(stored).not.toContain(each);
        const secrets = await listStoredSecrets(api.app.database);
        expect(secrets.map(({ rowId }) => rowId)).toContain(user.id);
      });
    });

    describe('signing in', () => {
      test('asks for a code after the password', async () => {
        const { user, secret } = await equipped();
        const { visitor, give } = await begin(user);
        expect((await give(codeOf(secret))).body).toEqual({ kind: 'signed_in' });
        expect(await visitor.isSignedIn()).toBe(true);
      });

      test.each([
        ['of two steps before', -2, 400],
        ['of the step before', -1, 200],
        ['of the step after', 1, 200],
        ['of two steps after', 2, 400],
      ])('takes the code %s as the window says', async (_which, steps, status) => {
        const { user, secret } = await equipped();
        clock.advance(5 * stepMs);
        const { give } = await begin(user);
        expect((await give(codeOf(secret, steps))).status).toBe(status);
      });

      test('takes no code twice, nor one before the last', async () => {
        const { user, secret } = await equipped();
        const code = codeOf(secret);
        const earlier = codeOf(secret, -1);
        expect((await (await begin(user)).give(code)).status).toBe(200);
        const again = await begin(user);
        expect(errorOf(await again.give(code))).toMatchObject({
          param: 'code',
          message: 'The code is wrong, or was used already.',
        });
        expect((await again.give(earlier)).status).toBe(400);
        clock.advance(stepMs);
        expect((await again.give(codeOf(secret))).status).toBe(200);
      });

      test('takes one code once, also when it comes twice at the same moment', async () => {
        const { user, secret } = await equipped();
        const code = codeOf(secret);
        const two = [await begin(user), await begin(user)];
        const answers = await Promise.all(two.map(({ give }) => give(code)));
        expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
      });

      test('has five minutes for the code', async () => {
        const { user, secret } = await equipped();
        const inTime = await begin(user);
        const late = await begin(user);
        clock.advance(challengeLifeMs.second_factor - 1);
        expect((await inTime.give(codeOf(secret))).status).toBe(200);
        clock.advance(1);
        expect(outcomeOf(await late.give(codeOf(secret)))).toMatchObject({ status: 401 });
      });

      test('is not guessed at for long, however often the password is given again', async () => {
        const { user, secret } = await equipped();
        const statuses: number[] = [];
        for (let i = 0; i < 6; i++) {
          const { give } = await begin(user);
          statuses.push((await give('000000')).status);
        }
        expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
        expect((await (await begin(user)).give(codeOf(secret))).status).toBe(429);
        clock.advance(30_000);
        expect((await (await begin(user)).give(codeOf(secret))).status).toBe(200);
      });

      test('is refused when the password was changed between the steps', async () => {
        const { user, visitor, secret } = await equipped();
        const { give } = await begin(user);
        await visitor.post('/account/password', { password: 'quite another password' });
        expect(outcomeOf(await give(codeOf(secret)))).toMatchObject({ status: 401 });
      });

      test('is refused when the password was set anew by a link between the steps', async () => {
        const { user, visitor, secret } = await equipped();
        const { give } = await begin(user);
        const link = await issuePasswordReset(api.app.admin, user.id);
        const wish = { secret: link, password: 'quite another password' };
        expect((await visitor.post('/password-reset', wish)).status).toBe(200);
        expect(outcomeOf(await give(codeOf(secret)))).toMatchObject({ status: 401 });
      });

      test('is refused when the user was disabled between the steps', async () => {
        const { user, secret } = await equipped();
        const { give } = await begin(user);
        await setUserEnabled(api.app.admin, user.id, false);
        expect(outcomeOf(await give(codeOf(secret)))).toMatchObject({ status: 401 });
      });

      test('takes one code for each time that the password was given', async () => {
        const { user, codes } = await equipped();
        const { give } = await begin(user);
        const [first = '', second = ''] = codes;
        expect((await give(first)).status).toBe(200);
        expect(outcomeOf(await give(second))).toMatchObject({ status: 401 });
      });
    });

    test('says so when the secret key is another one, as after a restore elsewhere; recovery codes sign in', async () => {
      const { user, secret, codes } = await equipped();
      const otherKey = new SecretBox(randomBytes(masterKeyBytes));
      const { kysely } = api.app.database;
      await kysely
        .updateTable('authenticators')
        .set({ secret: otherKey.seal(secret, user.id) })
        .where('user_id', '=', user.id)
        .execute();
      const { give } = await begin(user);
      const refused = await give(codeOf(secret));
      expect(outcomeOf(refused)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(errorOf(refused).message).toMatch(/another secret key.*recovery code/);
      // So that the console shows these words.
      expect(refused.headers.get('retry-after')).toBeNull();
      expect(await give(codes[0] ?? '')).toMatchObject({ body: { kind: 'signed_in' } });
    });

    describe('recovery codes', () => {
      test('sign in once each', async () => {
        const { user, codes, visitor } = await equipped();
        expect(codes).toHaveLength(recoveryCodesMade);
        const [code = ''] = codes;
        const typed = ` ${code.replaceAll('-', ' ').toUpperCase()} `;
        expect(await (await begin(user)).give(typed)).toMatchObject({
          status: 200,
          body: { kind: 'signed_in', recovery_codes_left: recoveryCodesMade - 1 },
        });
        expect((await (await begin(user)).give(code)).status).toBe(400);
        expect(field(await visitor.get('/account'), 'authenticator')).toMatchObject({
          recovery_codes_left: recoveryCodesMade - 1,
        });
      });

      test('are worth nothing when there are new ones, or to somebody else', async () => {
        const first = await equipped();
        const second = await equipped();
        const renewed = await first.visitor.post('/account/recovery-codes');
        const { recovery_codes: fresh } = recoveryCodesSchema.parse(renewed.body);
        const { give } = await begin(first.user);
        expect((await give(first.codes[0] ?? '')).status).toBe(400);
        expect((await give(second.codes[0] ?? '')).status).toBe(400);
        expect((await give(fresh[0] ?? '')).status).toBe(200);
      });
    });

    test('is over when the authenticator is removed, by its user or an administrator', async () => {
      const { user, visitor } = await equipped();
      expect((await visitor.ask('DELETE', '/account/authenticator')).status).toBe(200);
      await signedIn(api.app, user);
      expect((await visitor.post('/account/recovery-codes')).status).toBe(404);
      const other = await equipped();
      await removeAuthenticator(api.app.admin, other.user.email);
      await signedIn(api.app, other.user);
      for (const { id } of [user, other.user]) {
        expect(await countRecoveryCodes(api.app.database, id)).toBe(0);
      }
    });

    test('an administrator takes the authenticator of somebody away', async () => {
      const { user } = await equipped();
      const boss = await signedIn(api.app, await addMember(api.app, { role: 'admin' }));
      await boss.post('/prove', { kind: 'password', password: goodPassword });
      expect((await boss.ask('DELETE', `/admin/users/${user.id}/authenticator`)).status).toBe(200);
      await signedIn(api.app, user);
      expect((await boss.ask('DELETE', '/admin/users/usr_1/authenticator')).status).toBe(404);
    });
  },
  { clock },
);
