/** What another site’s page, or whoever is in between, can do with a browser that is signed in: nothing. */
import { describe, expect, test } from 'vitest';
import { consoleRoutes } from '../../../server/http/console/console-routes.ts';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { addMember, goodPassword, signedIn, Visitor } from '../../support/console/visitor.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const clock = new ManualClock();
const refused = { status: 403, code: 'forbidden', param: null };

describeApi(
  (api) => {
    const here = () => api.app.baseUrl;

    describe('a change with a session’s cookie', () => {
      test.each<[string, Record<string, string | null>, number]>([
        ['from a page of ours', {}, 200],
        ['typed into the address bar of a tool', { 'sec-fetch-site': 'none' }, 200],
        ['from an old browser that says nothing', { 'sec-fetch-site': null }, 200],
        ['without the header', { 'x-tintype-console': null }, 403],
        ['with another value of the header', { 'x-tintype-console': 'true' }, 403],
        ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
        ['from another host of the same site', { 'sec-fetch-site': 'same-site' }, 403],
        [
          'from an old browser at another site',
          { 'sec-fetch-site': null, origin: 'https://evil.example' },
          403,
        ],
        ['from an old browser in a sandbox', { 'sec-fetch-site': null, origin: 'null' }, 403],
        [
          'from an old browser at a host whose name ends in ours',
          { 'sec-fetch-site': null, origin: 'http://evil.{host}' },
          403,
        ],
        [
          'from an old browser at our host by another scheme',
          { 'sec-fetch-site': null, origin: 'https://{host}' },
          403,
        ],
      ])('%s', async (_from, { origin = null, ...rest }, status) => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        const { host } = new URL(here());
        const headers = { ...rest, origin: origin && origin.replace('{host}', host) };
        const answer = await visitor.post('/account/sessions/end-others', undefined, { headers });
        expect(answer.status).toBe(status);
        if (status === 403) expect(outcomeOf(answer)).toEqual(refused);
      });

      test('from an old browser at a page of ours', async () => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        const headers = { 'sec-fetch-site': null, origin: here() };
        const answer = await visitor.post('/account/sessions/end-others', undefined, { headers });
        expect(answer.status).toBe(200);
      });
    });

    test('a page that says whose it is has nothing of who signed in beside it', async () => {
      const user = await addMember(api.app);
      const visitor = await signedIn(api.app, user);
      const asking = (id: string) => ({ headers: { 'x-tintype-user': id } });
      const end = '/account/sessions/end-others';
      expect((await visitor.ask('POST', end, asking(user.id))).status).toBe(200);
      const { id: otherId } = await addMember(api.app);
      const answer = await visitor.ask('POST', end, asking(otherId));
      expect(outcomeOf(answer)).toEqual({ status: 401, code: 'unauthorized', param: null });
      const { body } = await visitor.ask('GET', '/bootstrap', asking(otherId));
      expect(body).toMatchObject({ user: null });
    });

    test('a request with an access token need not come from a page where anybody may ask either', async () => {
      const { email } = await addMember(api.app);
      const script = new Visitor(here(), { authorization: `Bearer tin-pat-${'x'.repeat(43)}` });
      const headers = { 'x-tintype-console': null, 'sec-fetch-site': null };
      const answer = await script.post('/sign-in', { email, password: goodPassword }, { headers });
      expect(answer.status).toBe(200);
    });

    test('an access token that does not hold is not made up for by the cookie beside it', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      const headers = { authorization: `Bearer tin-pat-${'x'.repeat(43)}` };
      expect((await visitor.get('/account', { headers })).status).toBe(401);
      expect((await visitor.get('/account')).status).toBe(200);
    });

    test('whoever comes without a proxy does not say that it is by https', async () => {
      const { email } = await addMember(api.app);
      const visitor = new Visitor(here(), { 'x-forwarded-proto': 'https' });
      await visitor.post('/sign-in', { email, password: goodPassword });
      expect([...visitor.cookies.keys()]).toEqual(['tintype_session']);
    });

    test('another site’s page can sign nobody in either', async () => {
      const { email } = await addMember(api.app);
      const visitor = new Visitor(here());
      const body = { email, password: goodPassword };
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect(outcomeOf(await visitor.post('/sign-in', body, { headers }))).toEqual(refused);
      expect(visitor.cookies.size).toBe(0);
    });

    test('every route that changes something refuses a foreign page', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app, { role: 'admin' }));
      const headers = { 'sec-fetch-site': 'cross-site' };
      const changes = consoleRoutes.filter(({ method }) => method !== 'GET');
      expect(changes.length).toBeGreaterThan(30);
      for (const { method, path } of changes) {
        const answer = await visitor.ask(method, path.replaceAll(/:\w+/g, 'x'), { headers });
        expect({ method, path, ...outcomeOf(answer) }).toEqual({ method, path, ...refused });
      }
    });

    test('every route that asks for a right asks for a session', async () => {
      const visitor = new Visitor(here());
      const guarded = consoleRoutes.filter(({ right }) => right !== 'anyone');
      for (const { method, path } of guarded) {
        const answer = await visitor.ask(method, path.replaceAll(/:\w+/g, 'x'));
        expect({ method, path, status: answer.status }).toEqual({ method, path, status: 401 });
      }
    });

    test('every delicate route asks for a proof', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app, { role: 'admin' }));
      clock.advance(60 * 60_000);
      const delicate = consoleRoutes.filter(
        (route) => route.right !== 'anyone' && route.isDelicate,
      );
      expect(delicate.map(({ method, path }) => `${method} ${path}`)).toEqual(
        expect.arrayContaining([
          'POST /account/password',
          'POST /account/access-tokens',
          'POST /account/authenticator',
          'POST /account/authenticator/confirm',
          'DELETE /account/authenticator',
          'POST /account/recovery-codes',
          'POST /account/passkeys/question',
          'POST /account/passkeys',
          'DELETE /account/passkeys/:id',
          'POST /admin/codes',
          'POST /admin/invitations',
          'POST /admin/users/:id/erasure',
          'POST /admin/users/:id/password-reset',
          'DELETE /admin/users/:id/authenticator',
        ]),
      );
      for (const { method, path } of delicate) {
        const answer = await visitor.ask(method, path.replaceAll(/:\w+/g, 'x'));
        expect({ path, code: outcomeOf(answer).code }).toEqual({ path, code: 'proof_needed' });
      }
    });

    test('no other origin is let in', async () => {
      const answer = await fetch(`${here()}/api/console/sign-in`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-tintype-console,content-type',
        },
      });
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
      expect(names).toEqual([]);
    });

    test('the session’s cookie is kept from scripts and other sites', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      expect(visitor.setCookies).toEqual([
        expect.stringMatching(
          /^tintype_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/,
        ),
      ]);
      await visitor.post('/sign-out');
      expect(visitor.setCookies).toEqual([
        'tintype_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
      ]);
    });

    test('what one is shown, or refused, is no page by itself, in no frame, and for no other site', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      for (const path of ['/account', '/admin/users', '/nothing']) {
        const { headers } = await visitor.get(path);
        expect(Object.fromEntries(headers)).toMatchObject({
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'cross-origin-resource-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
        });
      }
    });

    test('what one is shown is not kept by caches', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      expect((await visitor.get('/account')).headers.get('cache-control')).toBe('no-store');
    });
  },
  { clock },
);

describe('over https', () => {
  describeApi(
    (api) => {
      test('the cookie is bound to it, and no other one counts', async () => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        expect(visitor.setCookies).toEqual([
          expect.stringMatching(
            /^__Host-tintype_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure$/,
          ),
        ]);
        const secret = visitor.cookies.get('__Host-tintype_session') ?? '';
        expect(await visitor.isSignedIn()).toBe(true);
        // As a host beside this one could plant it.
        const planted = new Visitor(api.app.baseUrl);
        planted.cookies.set('tintype_session', secret);
        expect(await planted.isSignedIn()).toBe(false);
      });
    },
    { config: { publicUrl: 'https://images.example.com' } },
  );
});
