/** What an OpenID issuer may say of somebody, and who is signed in by it. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../../../server/audit/audit-store.ts';
import type { Config } from '../../../../server/config.ts';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { inviteUser } from '../../../../server/flows/users/invite-user.ts';
import { unlinkIssuer } from '../../../../server/flows/users/unlink-issuer.ts';
import { describeApi } from '../../../support/callers/api.ts';
import { amount } from '../../../support/console/test-admin.ts';
import { addMember, field, textField, Visitor } from '../../../support/console/visitor.ts';
import { type Claims, ScriptedIssuer } from '../../../support/services/scripted-issuer.ts';

const publicUrl = 'http://images.example.com';
const callback = '/sign-in/issuer/callback';
const issuer = new ScriptedIssuer();
const config: Partial<Config> = { publicUrl };
const lines: string[] = [];
let people = 0;

// Before the service starts, which is told where it is.
beforeAll(async () => {
  await issuer.open();
  Object.assign(config, { oidcIssuer: issuer.issuer, oidcClientId: issuer.clientId });
  return () => issuer.close();
});

describeApi(
  (api) => {
    beforeEach(() => {
      lines.length = 0;
    });

    /** Goes to the issuer; answers with what came along. */
    const leave = async (wish: object = {}) => {
      const visitor = new Visitor(api.app.baseUrl);
      const begun = await visitor.post('/sign-in/issuer', wish);
      const { searchParams } = new URL(textField(begun, 'url'));
      const [state, nonce] = ['state', 'nonce'].map((name) => searchParams.get(name) ?? '');
      return { visitor, state: state ?? '', nonce };
    };
    /** Comes back with a code, or with what is given; answers with the page that is shown. */
    const comeBack = async (visitor: Visitor, query: Record<string, string>) => {
      const search = new URLSearchParams({ code: 'code', ...query });
      const answer = await visitor.get(`${callback}?${search.toString()}`);
      return answer.headers.get('location');
    };
    const signIn = async (
      claims: Claims,
      { header, wish }: { header?: Claims | undefined; wish?: object } = {},
    ) => {
      const { visitor, state, nonce } = await leave(wish);
      issuer.tell({ nonce, ...claims }, header);
      return { visitor, page: await comeBack(visitor, { state }) };
    };
    const member = async () => {
      const user = await addMember(api.app);
      const sub = `person-${++people}`;
      return { user, claims: { sub, email: user.email, email_verified: true } };
    };
    const userOf = async (visitor: Visitor) => field(await visitor.get('/bootstrap'), 'user');
    const problem = (name: string) => `/login?problem=${name}&next=%2F`;
    const logged = () =>
      lines.filter((line) => line.includes('the OpenID issuer signed nobody in'));

    test.each([
      'open registration',
      'an invitation for anybody',
      'an invitation for their address',
    ])(
      'whoever got an account by %s is known by the issuer’s name for them from then on',
      async (way) => {
        const registration = way === 'open registration' ? 'open' : 'invitation';
        await changeSetting(api.app.admin, { key: 'registration', value: registration });
        const sub = `new-${++people}-${api.user.id.toLowerCase()}`;
        const email = `${sub}@example.com`;
        const invited = { role: 'user', topUp: amount('3') } as const;
        const meant = way === 'an invitation for their address' ? email : null;
        const offer =
          registration === 'open'
            ? null
            : await inviteUser(api.app.admin, { ...invited, email: meant });
        const claims = { sub, email, email_verified: true };
        const { visitor } = await signIn(claims, {
          wish: offer ? { invitation: offer.secret } : {},
        });
        const user = (await userOf(visitor)) as { id: string };
        expect(user).toMatchObject({
          email,
          wallet: { balance: { micros: offer === null ? 0 : 3_000_000 } },
        });
        const later = await signIn({ sub, email: `now-${email}`, email_verified: false });
        expect(await userOf(later.visitor)).toMatchObject({ id: user.id, email });
        const { items } = await listAuditEntries(api.app.database, {}, { after: null, limit: 10 });
        const own = items.filter(({ actor }) => actor === user.id).map(({ action }) => action);
        const opened = offer === null ? 'user.register' : 'invitation.accept';
        expect(own).toEqual(['user.link_issuer', opened]);
      },
    );

    test('somebody else with the address of an account does not get it, until that is unlinked', async () => {
      const { user, claims } = await member();
      await signIn(claims);
      // Somebody left, and their address was given to another.
      const heir = { ...claims, sub: `heir-of-${claims.sub}` };
      const { visitor, page } = await signIn(heir);
      expect(page).toBe(problem('linked_otherwise'));
      expect(await visitor.isSignedIn()).toBe(false);
      const { visitor: known } = await signIn(claims);
      await unlinkIssuer(api.app.admin, user.id);
      expect(await known.isSignedIn()).toBe(false);
      expect(await userOf((await signIn(heir)).visitor)).toMatchObject({ id: user.id });
      expect((await signIn(claims)).page).toBe(problem('linked_otherwise'));
    });

    test('somebody with an address that only in lower case is that of an account does not get it', async () => {
      const user = await addMember(api.app, { called: 'Kim' });
      // It begins with the sign for kelvin.
      const claims = { sub: 'not-kim', email: '\u212aim@example.com', email_verified: true };
      const { visitor, page } = await signIn(claims);
      expect(page).toBe(problem('no_account'));
      expect(await visitor.isSignedIn()).toBe(false);
      const theirs = { ...claims, sub: 'kim', email: 'Kim@example.com' };
      expect(await userOf((await signIn(theirs)).visitor)).toMatchObject({ id: user.id });
    });

    test('an invitation opens no account while registration is closed', async () => {
      const wish = { email: null, role: 'admin' as const, topUp: amount('3') };
      const { secret } = await inviteUser(api.app.admin, wish);
      const setRegistration = (value: string) =>
        changeSetting(api.app.admin, { key: 'registration', value });
      const sub = `invited-${++people}`;
      const invited = { sub, email: `${sub}-${api.user.id}@example.com`, email_verified: true };
      await setRegistration('closed');
      const early = await signIn(invited, { wish: { invitation: secret } });
      expect(early.page).toBe(problem('no_account'));
      await setRegistration('invitation');
      const { visitor } = await signIn(invited, { wish: { invitation: secret } });
      expect(await userOf(visitor)).toMatchObject({ role: 'admin' });
    });

    test('a long name is cut between two characters, not within one', async () => {
      await changeSetting(api.app.admin, { key: 'registration', value: 'open' });
      const sub = `painter-${++people}`;
      const claims = { sub, email: `${sub}-${api.user.id}@example.com`, email_verified: true };
      const name = 'x'.repeat(99);
      const { visitor } = await signIn({ ...claims, name: `${name}🎨 Studio` });
      expect(await userOf(visitor)).toMatchObject({ name });
    });

    test('a name of which nothing is seen is none', async () => {
      await changeSetting(api.app.admin, { key: 'registration', value: 'open' });
      const sub = `painter-${++people}`;
      const email = `${sub}-${api.user.id.replaceAll('_', '-')}@example.com`;
      const { visitor } = await signIn({ sub, email, email_verified: true, name: '\u200b \u2060' });
      expect(await userOf(visitor)).toMatchObject({ name: email });
    });

    test('a code may have a question mark, as all of a query may', async () => {
      const { user, claims } = await member();
      const { visitor, state, nonce } = await leave();
      issuer.tell({ nonce, ...claims });
      await visitor.get(`${callback}?code=is?it&state=${state}`);
      expect(await userOf(visitor)).toMatchObject({ id: user.id });
    });

    describe('is trouble, which is logged', () => {
      test.each<[string, Claims, Claims?]>([
        ['a token for another client', { aud: 'another' }],
        ['one for several, of whom none is said to use it', { aud: ['tintype', 'another'] }],
        ['one that another is to use', { aud: ['tintype', 'another'], azp: 'another' }],
        ['one of another issuer', { iss: 'https://login.example.com' }],
        ['one without a nonce', { nonce: undefined }],
        ['one without an end', { exp: undefined }],
        ['one without a name for the person', { sub: undefined }],
        ['one that nobody signed', {}, { alg: 'none' }],
        ['one that is signed otherwise than the issuer says', {}, { alg: 'HS256' }],
      ])('%s', async (_what, changes, header) => {
        const { claims } = await member();
        const { visitor, page } = await signIn({ ...claims, ...changes }, { header });
        expect(page).toBe(problem('unavailable'));
        expect(await visitor.isSignedIn()).toBe(false);
        expect(logged()).toHaveLength(1);
      });

      test.each([
        ['a web page', { headers: { 'content-type': 'text/html' }, body: '<p>Sorry</p>' }],
        ['a way elsewhere', { status: 307, headers: { location: '/other' }, body: '' }],
        ['no token', { body: { access_token: 'access', token_type: 'Bearer' } }],
        ['half an answer', { body: '{"access_token":"access",' }],
      ])('%s in answer to a code', async (_what, answer) => {
        const { visitor, state } = await leave();
        issuer.says.set('/token', answer);
        expect(await comeBack(visitor, { state })).toBe(problem('unavailable'));
        expect(logged()).toHaveLength(1);
        expect(issuer.asked).not.toContain('/other');
      });
    });

    describe('is a refusal, of whatever the visitor brought', () => {
      test('a token that was made for another visit', async () => {
        const { claims } = await member();
        const { page } = await signIn({ ...claims, nonce: 'of another' });
        expect(page).toBe(problem('refused'));
        expect(logged()).toEqual([]);
      });

      test.each<[string, Record<string, string>]>([
        ['another state', { state: 'of another' }],
        ['another issuer', { iss: 'https://login.example.com' }],
      ])('%s', async (_what, changes) => {
        const { visitor, state, nonce } = await leave();
        issuer.tell({ nonce, ...(await member()).claims });
        expect(await comeBack(visitor, { state, ...changes })).toBe(problem('refused'));
        expect(logged()).toEqual([]);
      });

      test('a code that the issuer did not give, or gave before', async () => {
        const { visitor, state } = await leave();
        issuer.says.set('/token', { status: 400, body: { error: 'invalid_grant' } });
        expect(await comeBack(visitor, { state })).toBe(problem('refused'));
        expect(logged()).toEqual([]);
      });
    });

    test.each([
      ['not said', undefined],
      ['a word', 'true'],
      ['a number', 1],
      ['false', false],
    ])('an address of which it is %s that it is verified is nobody’s', async (_what, verified) => {
      const { claims } = await member();
      const { page } = await signIn({ ...claims, email_verified: verified });
      expect(page).toBe(problem('email_unverified'));
    });

    test('the address is asked for where the token has none, and only of the same person', async () => {
      const { user, claims } = await member();
      issuer.says.set('/userinfo', { body: claims });
      const { visitor } = await signIn({ sub: claims.sub });
      expect(await userOf(visitor)).toMatchObject({ id: user.id });
      const other = await member();
      issuer.says.set('/userinfo', { body: other.claims });
      expect((await signIn({ sub: 'somebody else' })).page).toBe(problem('unavailable'));
    });
  },
  { config, onLogLine: (line) => lines.push(line) },
);
