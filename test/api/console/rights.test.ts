/**
 * Every route of the console, whoever wrote it: nobody in particular, somebody without the right, and
 * somebody who asks for the things of somebody else. The list of routes is the list of tests.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mayDo, rights } from '../../../server/accounts/rights.ts';
import type { ConsoleRoute } from '../../../server/http/console/console-route.ts';
import { consoleRoutes } from '../../../server/http/console/console-routes.ts';
import { must } from '../../../server/lib/assert.ts';
import { type Answer, describeApi, errorOf, outcomeOf } from '../../support/callers/api.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { ownedThingsOf } from '../../support/console/owned-things.ts';
import { Visitor } from '../../support/console/visitor.ts';

/** What answers before anybody is known. A route that is added here must mean it. */
const publicRoutes = [
  'GET /bootstrap',
  'GET /setup/state',
  'GET /sign-in/issuer/callback',
  'POST /invitation',
  'POST /invitation/accept',
  'POST /password-reset',
  'POST /password-reset/mail',
  'POST /registration',
  'POST /registration/confirm',
  'POST /registration/mail',
  'POST /setup',
  'POST /setup/check',
  'POST /sign-in',
  'POST /sign-in/issuer',
  'POST /sign-in/passkey',
  'POST /sign-in/passkey/question',
  'POST /sign-in/second-factor',
];

const nameOf = ({ method, path }: ConsoleRoute) => `${method} ${path}`;
const named = (routes: readonly ConsoleRoute[]) =>
  routes.map((route): [string, ConsoleRoute] => [nameOf(route), route]);

const guarded = consoleRoutes.filter(({ right }) => right !== 'anyone');
const forAdmins = guarded.filter(({ right }) => right !== 'anyone' && !mayDo('user', right));
const withThings = guarded.filter(
  ({ right, path }) => right !== 'anyone' && mayDo('user', right) && path.includes(':'),
);

describeApi((api) => {
  const ask = (browser: Visitor, { method, sampleBody }: ConsoleRoute, path: string) =>
    browser.ask(
      method,
      path,
      sampleBody === undefined ? {} : { body: z.object().loose().parse(sampleBody) },
    );
  const anywhere = ({ path }: ConsoleRoute) => path.replace(/:\w+/g, 'nothing');

  describe('the routes', () => {
    test('are all there once', () => {
      const names = consoleRoutes.map(nameOf);
      expect(new Set(names).size).toBe(names.length);
      expect(names.length).toBeGreaterThan(30);
    });

    test('that anybody may ask are these', () => {
      const open = consoleRoutes.filter(({ right }) => right === 'anyone').map(nameOf);
      expect(open.sort()).toEqual([...publicRoutes].sort());
    });

    test('ask for rights that there are', () => {
      for (const { right } of guarded) expect(rights).toContain(right);
    });
  });

  describe('who is not signed in', () => {
    test.each(named(guarded))('gets nothing of %s', async (_name, route) => {
      const answer = await ask(new Visitor(api.app.baseUrl), route, anywhere(route));
      expect(outcomeOf(answer)).toEqual({ status: 401, code: 'unauthorized', param: null });
    });

    test.each(named(guarded))('gets nothing of %s by an API key', async (_name, route) => {
      const browser = new Visitor(api.app.baseUrl, { authorization: `Bearer ${api.user.apiKey}` });
      const answer = await ask(browser, route, anywhere(route));
      expect(outcomeOf(answer)).toMatchObject({ status: 401 });
    });
  });

  describe('a user without the right', () => {
    let user: ConsoleUser;
    beforeAll(async () => {
      user = await addConsoleUser(api.app);
    });

    test('is told of at all', () => {
      // Else the tests below show nothing.
      expect(named(forAdmins).length).toBeGreaterThan(0);
    });

    test('is told no more of the setup than who is not signed in', async () => {
      const { body } = await new Visitor(api.app.baseUrl).get('/setup/state');
      expect((await user.browser.get('/setup/state')).body).toEqual(body);
      const admin = await addConsoleUser(api.app, { role: 'admin' });
      expect((await admin.browser.get('/setup/state')).body).not.toEqual(body);
    });

    test.each(named(forAdmins))('may not do %s', async (_name, route) => {
      const answer = await ask(user.browser, route, anywhere(route));
      expect(outcomeOf(answer)).toEqual({ status: 403, code: 'forbidden', param: null });
    });
  });

  describe('another page', () => {
    test.each(named(guarded.filter(({ method }) => method !== 'GET')))(
      'cannot make a browser do %s',
      async (_name, route) => {
        const user = await addConsoleUser(api.app, { money: '0' });
        for (const header of [{ 'x-tintype-console': null }, { 'sec-fetch-site': 'cross-site' }]) {
          const answer = await user.browser.ask(route.method, anywhere(route), { headers: header });
          expect(outcomeOf(answer)).toEqual({ status: 403, code: 'forbidden', param: null });
        }
      },
    );
  });

  describe('somebody else’s things', () => {
    let stranger: ConsoleUser;
    beforeAll(async () => {
      stranger = await addConsoleUser(api.app);
    });

    test.each(named(withThings))('are as if they were not there for %s', async (_name, route) => {
      const owner = await addConsoleUser(api.app);
      const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
      let path = route.path;
      let nowhere = route.path;
      for (const name of names) {
        const kind = must(route.owned?.[name], `${name} of ${nameOf(route)} says whose it is`);
        const id = await ownedThingsOf[kind](api, owner);
        path = path.replace(`:${name}`, id);
        // Of the same form, and nobody's.
        nowhere = nowhere.replace(`:${name}`, `${id.slice(0, -4)}zzzz`);
      }
      const theirs = await ask(stranger.browser, route, path);
      const nobodys = await ask(stranger.browser, route, nowhere);
      expect(told(theirs)).toEqual(told(nobodys));
      if (route.path !== '/trace/:traceId') expect(theirs.status).toBe(404);
      // What they may not see they did not change either: it answers its owner.
      expect((await ask(owner.browser, route, path)).status).toBe(200);
    });
  });
});

/** All that an answer says, but for its trace ID. */
function told(answer: Answer) {
  if (answer.status < 400) return { status: answer.status, body: answer.body };
  const { trace_id: _, ...error } = errorOf(answer);
  return { status: answer.status, error };
}
