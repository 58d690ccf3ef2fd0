import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setEmailProven } from '../../../../server/accounts/user-store.ts';
import type { Config } from '../../../../server/config.ts';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { editUser } from '../../../../server/flows/users/edit-user.ts';
import { setUserEnabled } from '../../../../server/flows/users/enable-user.ts';
import { inviteUser } from '../../../../server/flows/users/invite-user.ts';
import { challengeLifeMs } from '../../../../server/identity/challenge.ts';
import { questionLimits } from '../../../../server/identity/question-limit.ts';
import { sessionLimits } from '../../../../server/identity/session.ts';
import { must } from '../../../../server/lib/assert.ts';
import { describeApi, outcomeOf } from '../../../support/callers/api.ts';
import { countChallenges } from '../../../support/console/count-challenges.ts';
import { amount } from '../../../support/console/test-admin.ts';
import {
  addMember,
  field,
  goodPassword,
  textField,
  Visitor,
} from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import {
  openIssuer,
  type Person,
  type TestIssuer,
} from '../../../support/services/openid-issuer.ts';

const clock = new ManualClock();
const publicUrl = 'http://images.example.com';
const callback = '/sign-in/issuer/callback';
const redirectUri = `${publicUrl}/api/console${callback}`;
const config: Partial<Config> = { publicUrl };
let theIssuer: TestIssuer | null = null;
let people = 0;

// Before the service starts, which is told where it is.
beforeAll(async () => {
  const issuer = await openIssuer(redirectUri);
  theIssuer = issuer;
  const { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret } = issuer;
  Object.assign(config, { oidcIssuer, oidcClientId, oidcClientSecret, oidcName: 'Example ID' });
  return () => issuer.close();
});

describeApi(
  (api) => {
    const issuer = () => must(theIssuer, 'an issuer that has started');
    const setRegistration = (value: string) =>
      changeSetting(api.app.admin, { key: 'registration', value });
    beforeEach(async () => {
      issuer().isDown = false;
      issuer().askedAgoMs = 0;
      await setRegistration('invitation');
    });

    const visit = () => new Visitor(api.app.baseUrl);
    const somebody = (changes: Partial<Person> = {}): Person => {
      const subject = `person-${++people}-${api.user.id.toLowerCase()}`;
      return { subject, email: `${subject}@example.com`, emailVerified: true, ...changes };
    };
    /** Goes to the issuer as somebody; answers with the address it sends back to. */
    const leave = async (visitor: Visitor, person: Person | null, wish: object = {}) => {
      issuer().person = person;
      return issuer().visit(textField(await visitor.post('/sign-in/issuer', wish), 'url'));
    };
    /** Comes back; answers with the page that is shown. */
    const comeBack = async (visitor: Visitor, url: URL) => {
      const answer = await visitor.get(`${callback}${url.search}`, {
        headers: { 'x-tintype-console': null, 'sec-fetch-site': 'cross-site' },
      });
      expect(answer.status).toBe(303);
      return answer.headers.get('location');
    };
    const signIn = async (person: Person | null, wish: object = {}, visitor = visit()) => ({
      visitor,
      page: await comeBack(visitor, await leave(visitor, person, wish)),
    });
    const problem = (name: string, next = '/') =>
      `/login?problem=${name}&next=${encodeURIComponent(next)}`;
    const userOf = async (visitor: Visitor) => field(await visitor.get('/bootstrap'), 'user');

    test('is offered by its name', async () => {
      const { body } = await visit().get('/bootstrap');
      expect(body).toMatchObject({ installation: { oidc: { name: 'Example ID' } } });
    });

    test('asks with PKCE, state and nonce, for the way back to here', async () => {
      const visitor = visit();
      const begun = await visitor.post('/sign-in/issuer', {});
      const asked = Object.fromEntries(new URL(textField(begun, 'url')).searchParams);
      expect(asked).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: redirectUri,
        scope: 'openid email profile',
      });
      for (const name of ['state', 'nonce', 'code_challenge']) {
        expect(asked[name]).toMatch(/^[\w-]{43}$/);
      }
      expect(visitor.setCookies[0]).toMatch(
        /^tintype_issuer=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
      );
    });

    test('stores no more beginnings of one network than its limit', async () => {
      const { atOnceMax, refillMs } = questionLimits;
      // What the tests before have taken is free again.
      clock.advance(atOnceMax * refillMs);
      for (let n = 0; n < atOnceMax; n++) {
        expect((await visit().post('/sign-in/issuer', {})).status).toBe(200);
      }
      const before = await countChallenges(api.app.database);
      const refused = await visit().post('/sign-in/issuer', {});
      expect(outcomeOf(refused)).toEqual({ status: 429, code: 'rate_limit', param: null });
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await countChallenges(api.app.database)).toBe(before);
      clock.advance(atOnceMax * refillMs);
      expect((await visit().post('/sign-in/issuer', {})).status).toBe(200);
    });

    describe('whoever is known by a verified address', () => {
      test('signs in, and afterwards by the issuer’s own name for them', async () => {
        const user = await addMember(api.app);
        const person = somebody({ email: user.email });
        const { visitor, page } = await signIn(person, { next: '/usage?range=7d' });
        expect(page).toBe('/usage?range=7d');
        expect(await userOf(visitor)).toMatchObject({ id: user.id });
        expect(visitor.cookies.has('tintype_issuer')).toBe(false);
        // The address at the issuer changes, and is not even verified; the person is the same.
        const again = await signIn({ ...person, email: 'other@example.com', emailVerified: false });
        expect(await userOf(again.visitor)).toMatchObject({ id: user.id });
        await editUser(api.app.admin, user.id, { email: `moved-${user.email}` });
        expect(await userOf((await signIn(person)).visitor)).toMatchObject({ id: user.id });
      });

      test('does not when the issuer has not verified it', async () => {
        const user = await addMember(api.app);
        const { visitor, page } = await signIn(
          somebody({ email: user.email, emailVerified: false }),
        );
        expect(page).toBe(problem('email_unverified'));
        expect(await visitor.isSignedIn()).toBe(false);
      });

      test('does not when somebody opened the account without showing that the address is theirs', async () => {
        const user = await addMember(api.app);
        await api.app.database.transaction((trx) => setEmailProven(trx, user.id, false));
        const { page } = await signIn(somebody({ email: user.email }));
        expect(page).toBe(problem('email_unproven'));
      });

      test('does not when somebody typed it who accepted an invitation for anybody', async () => {
        const wish = { email: null, role: 'user' as const, topUp: amount('0') };
        const { secret } = await inviteUser(api.app.admin, wish);
        const person = somebody();
        const given = { secret, email: person.email, name: 'Not Ann', password: goodPassword };
        expect((await visit().post('/invitation/accept', given)).status).toBe(200);
        expect((await signIn(person)).page).toBe(problem('email_unproven'));
      });

      test('does not while disabled, linked before or not', async () => {
        const [linked, unlinked] = [await addMember(api.app), await addMember(api.app)];
        const [one, two] = [somebody({ email: linked.email }), somebody({ email: unlinked.email })];
        await signIn(one);
        for (const { id } of [linked, unlinked]) await setUserEnabled(api.app.admin, id, false);
        expect((await signIn(one)).page).toBe(problem('disabled'));
        expect((await signIn(two)).page).toBe(problem('disabled'));
      });
    });

    describe('whoever is not known', () => {
      test.each(['closed', 'invitation'])('is refused while registration is %s', async (value) => {
        await setRegistration(value);
        const person = somebody();
        const { visitor, page } = await signIn(person, { next: '/keys' });
        expect(page).toBe(problem('no_account', '/keys'));
        expect(await visitor.isSignedIn()).toBe(false);
      });

      test('gets an account while it is open, with a verified address only', async () => {
        await setRegistration('open');
        const person = somebody({ name: '  Ann\u0007 Example\u202e ' });
        const { visitor } = await signIn(person);
        expect(await userOf(visitor)).toMatchObject({
          email: person.email,
          name: 'Ann  Example',
          role: 'user',
          wallet: { balance: { micros: 0 } },
        });
        const refused = await signIn(somebody({ emailVerified: false }));
        expect(refused.page).toBe(problem('email_unverified'));
      });

      test('gets one account, however many browsers come back at once', async () => {
        await setRegistration('open');
        // Several, because not every pair meets in the middle.
        const pairs = Array.from({ length: 8 }, () => ({
          person: somebody(),
          visitors: [visit(), visit()],
        }));
        const back: { visitor: Visitor; url: URL }[] = [];
        for (const { person, visitors } of pairs) {
          for (const visitor of visitors) back.push({ visitor, url: await leave(visitor, person) });
        }
        const pages = await Promise.all(back.map(({ visitor, url }) => comeBack(visitor, url)));
        expect(pages).toEqual(back.map(() => '/'));
        for (const { visitors, person } of pairs) {
          const users = await Promise.all(visitors.map(userOf));
          expect(users).toMatchObject([{ email: person.email }, { email: person.email }]);
        }
      });

      test('gets what an invitation offers', async () => {
        const { secret } = await inviteUser(api.app.admin, {
          email: null,
          role: 'admin',
          topUp: amount('3'),
        });
        const { visitor } = await signIn(somebody(), { invitation: secret });
        expect(await userOf(visitor)).toMatchObject({
          role: 'admin',
          wallet: { balance: { text: '3.00' } },
        });
        const second = await signIn(somebody(), { invitation: secret });
        expect(second.page).toBe(problem('no_account'));
      });

      test('gets nothing from an invitation for another address', async () => {
        const email = 'somebody-else@example.com';
        const wish = { email, role: 'admin' as const, topUp: amount('3') };
        const { secret } = await inviteUser(api.app.admin, wish);
        const { page } = await signIn(somebody(), { invitation: secret });
        expect(page).toBe(problem('no_account'));
      });
    });

    describe('coming back', () => {
      test('is refused without the cookie, or with that of another visit', async () => {
        const person = somebody({ email: (await addMember(api.app)).email });
        const [first, second] = [visit(), visit()];
        const url = await leave(first, person);
        await second.post('/sign-in/issuer', {});
        expect(await comeBack(visit(), url)).toBe(problem('expired'));
        expect(await comeBack(second, url)).toBe(problem('refused'));
        expect(await second.isSignedIn()).toBe(false);
        expect(await comeBack(first, url)).toBe('/');
      });

      test('works once', async () => {
        const person = somebody({ email: (await addMember(api.app)).email });
        const visitor = visit();
        const url = await leave(visitor, person);
        const cookie = visitor.cookies.get('tintype_issuer') ?? '';
        expect(await comeBack(visitor, url)).toBe('/');
        const thief = visit();
        thief.cookies.set('tintype_issuer', cookie);
        expect(await comeBack(thief, url)).toBe(problem('expired'));
        expect(await thief.isSignedIn()).toBe(false);
      });

      test('is possible for ten minutes', async () => {
        const person = somebody({ email: (await addMember(api.app)).email });
        const [inTime, late] = [visit(), visit()];
        const [first, second] = [await leave(inTime, person), await leave(late, person)];
        clock.advance(challengeLifeMs.oidc - 1);
        expect(await comeBack(inTime, first)).toBe('/');
        clock.advance(1);
        expect(await comeBack(late, second)).toBe(problem('expired'));
      });

      test('with a code that was given to another visit is refused', async () => {
        const person = somebody({ email: (await addMember(api.app)).email });
        const [victim, thief] = [visit(), visit()];
        const stolen = await leave(victim, person);
        const own = await leave(thief, somebody());
        own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
        expect(await comeBack(thief, own)).toBe(problem('refused'));
        expect(await thief.isSignedIn()).toBe(false);
      });

      test('without agreement is refused', async () => {
        const { page, visitor } = await signIn(null);
        expect(page).toBe(problem('refused'));
        expect(await visitor.isSignedIn()).toBe(false);
      });

      test('leads to no other site, whatever was asked for', async () => {
        const person = somebody({ email: (await addMember(api.app)).email });
        const { page } = await signIn(person, { next: '//evil.example/login' });
        expect(page).toBe('/');
      });

      test('says so when the issuer does not answer any more', async () => {
        const person = somebody({ email: (await addMember(api.app)).email });
        const visitor = visit();
        const url = await leave(visitor, person);
        issuer().isDown = true;
        expect(await comeBack(visitor, url)).toBe(problem('unavailable'));
      });
    });

    describe('who is signed in already', () => {
      const known = async () => {
        const person = somebody({ email: (await addMember(api.app)).email });
        return { person, visitor: (await signIn(person)).visitor };
      };
      const provenUntil = async (visitor: Visitor) =>
        field(await visitor.get('/account'), 'proven_until');
      const doDelicate = (visitor: Visitor) =>
        visitor.post('/account/access-tokens', { name: 'script', days: null });
      const proofNeeded = { status: 403, code: 'proof_needed', param: null };

      test('is asked for the password anew, and the issuer for the time of it', async () => {
        const { visitor } = await known();
        const asked = async (who: Visitor) => {
          const { searchParams } = new URL(textField(await who.post('/sign-in/issuer', {}), 'url'));
          return [searchParams.get('prompt'), searchParams.get('max_age')];
        };
        expect(await asked(visitor)).toEqual(['login', String(sessionLimits.provenMs / 1000)]);
        expect(await asked(visit())).toEqual([null, null]);
      });

      test('has shown who they are when the issuer asked a short while ago', async () => {
        const { visitor, person } = await known();
        await signIn(person, {}, visitor);
        expect(Date.parse(String(await provenUntil(visitor)))).toBeGreaterThan(clock.now());
        expect((await doDelicate(visitor)).status).toBe(200);
      });

      test('has not when the issuer asked longer ago than a proof holds', async () => {
        const { visitor, person } = await known();
        issuer().askedAgoMs = sessionLimits.provenMs + 1_000;
        await signIn(person, {}, visitor);
        expect(outcomeOf(await doDelicate(visitor))).toEqual(proofNeeded);
      });

      test('has not when their browser took the question out, and the issuer says nothing', async () => {
        const { visitor, person } = await known();
        issuer().person = person;
        const url = new URL(textField(await visitor.post('/sign-in/issuer', {}), 'url'));
        for (const name of ['prompt', 'max_age']) url.searchParams.delete(name);
        expect(await comeBack(visitor, await issuer().visit(url.href))).toBe('/');
        expect(await provenUntil(visitor)).toBeNull();
        expect(outcomeOf(await doDelicate(visitor))).toEqual(proofNeeded);
      });
    });
  },
  { clock, config },
);
