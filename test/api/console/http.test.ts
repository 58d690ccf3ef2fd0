/** How the console's API speaks HTTP, whatever is asked of it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { consoleHeaders } from '../../../server/http/console/console-headers.ts';
import { consoleBodyBytesMax } from '../../../server/http/console/serve-console.ts';
import { type Answer, describeApi, errorOf, outcomeOf, wrong } from '../../support/callers/api.ts';
import { exchange } from '../../support/callers/raw-http.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { pageHeaders, Visitor } from '../../support/console/visitor.ts';

describeApi((api) => {
  let user: ConsoleUser;
  beforeAll(async () => {
    user = await addConsoleUser(api.app);
  });

  describe('methods', () => {
    test.each([
      ['/bootstrap', 'GET, HEAD, OPTIONS'],
      ['/usage', 'GET, HEAD, OPTIONS'],
      ['/usage/chart', 'GET, HEAD, OPTIONS'],
      ['/keys', 'GET, POST, HEAD, OPTIONS'],
      ['/keys/key_1', 'GET, PATCH, DELETE, HEAD, OPTIONS'],
      ['/keys/key_1/rotate', 'POST, OPTIONS'],
      ['/images/generations', 'POST, OPTIONS'],
    ])('of %s are %s', async (path, allowed) => {
      const options = await user.browser.ask('OPTIONS', path);
      expect(options).toMatchObject({ status: 204, text: '' });
      expect(options.headers.get('allow')).toBe(allowed);
      const refused = await user.browser.ask('PROPFIND', `${path}?a=b`);
      expect(outcomeOf(refused)).toMatchObject({ status: 405, code: 'method_not_allowed' });
      expect(refused.headers.get('allow')).toBe(allowed);
    });

    test('no page of another origin is let in', async () => {
      const answer = await user.browser.ask('OPTIONS', '/keys', {
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
      });
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
      expect(names).toEqual([]);
    });

    test('what can be got can be asked for without its body', async () => {
      for (const path of ['/usage', '/keys', '/wallet']) {
        expect(await user.browser.ask('HEAD', path)).toMatchObject({ status: 200, text: '' });
      }
    });
  });

  test.each(['localhost:99999', '%', '1.2.3.4.5'])(
    'a host %s, which no browser can have asked, is told so where its name is needed',
    async (host) => {
      const answer = await exchange(
        api.app.baseUrl,
        [
          'POST /api/console/sign-in/passkey/question HTTP/1.1',
          `Host: ${host}`,
          'Content-Length: 0',
          ...Object.entries(pageHeaders).map(([name, value]) => `${name}: ${value}`),
          'Connection: close',
          '\r\n',
        ].join('\r\n'),
      );
      expect(outcomeOf(answer)).toEqual(wrong(null));
    },
  );

  describe('an address that is not there', () => {
    test.each(['', '/', '/nothing', '/keys/', '/Keys', '/keys/key_1/secret', '//keys'])(
      '%j is told so, whoever asks',
      async (path) => {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const answer = await user.browser.ask(method, path);
          expect(outcomeOf(answer)).toEqual({ status: 404, code: 'not_found', param: null });
        }
      },
    );
  });

  describe('headers', () => {
    const answers: Record<string, () => Promise<Answer>> = {
      'a list': () => user.browser.get('/usage'),
      'a file': () => user.browser.get('/usage.csv'),
      'a 400': () => user.browser.get('/usage?range=x'),
      'a 401': () => user.browser.get('/usage', { headers: { cookie: 'x=y' } }),
      'a 403': () =>
        user.browser.post('/keys', { name: 'x' }, { headers: { 'x-tintype-console': null } }),
      'a 404': () => user.browser.get('/nothing'),
      'a 404 of a thing': () => user.browser.get('/keys/key_1'),
      'a 405': () => user.browser.ask('PUT', '/usage'),
      'what may be asked': () => user.browser.ask('OPTIONS', '/usage'),
      'an address that cannot be read': () => user.browser.get('/usage/%E0%A4%A'),
      'an address in percent-encoded letters': () => api.get('/%61pi/c%6Fnsole/usage'),
    };

    test.each(Object.keys(answers))('keep %s to the one who asked', async (name) => {
      const answer = await answers[name]?.();
      for (const [header, value] of Object.entries(consoleHeaders)) {
        expect(answer?.headers.get(header), header).toBe(value);
      }
      expect(answer?.headers.get('x-request-id')).toMatch(/^tr_/);
    });

    test('are not those of the public API', async () => {
      const answer = await api.get('/v1/models');
      expect(answer.headers.has('content-security-policy')).toBe(false);
    });
  });

  describe('bodies', () => {
    const send = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${api.app.baseUrl}/api/console/keys`, {
        method: 'POST',
        headers: {
          cookie: user.browser.cookieHeader,
          'x-tintype-console': '1',
          'content-type': 'application/json',
          ...headers,
        },
        body,
      });
    const padded = (bytes: number) => {
      const empty = JSON.stringify({ name: 'laptop', note: '' });
      return JSON.stringify({ name: 'laptop', note: 'x'.repeat(bytes - empty.length) });
    };

    test(`may have ${consoleBodyBytesMax} bytes and no more`, async () => {
      expect((await send(padded(consoleBodyBytesMax))).status).toBe(200);
      const answer = await send(padded(consoleBodyBytesMax + 1));
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: {
          message: `The body is too large: at most ${consoleBodyBytesMax} bytes are accepted.`,
        },
      });
    });

    test.each<[string, string, Record<string, string>]>([
      ['is no JSON', '{', {}],
      ['is no object', '[]', {}],
      ['is a form', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['is plain text', '{"name":"x"}', { 'content-type': 'text/plain' }],
      ['is compressed', '{"name":"x"}', { 'content-encoding': 'gzip' }],
      [
        'is in another charset',
        '{"name":"x"}',
        { 'content-type': 'application/json; charset=utf-16' },
      ],
    ])('that %s is refused', async (_what, body, headers) => {
      expect((await send(body, headers)).status).toBe(400);
    });

    test('is not read of somebody who is not known', async () => {
      const answer = await send('{', { cookie: '' });
      expect(answer.status).toBe(401);
    });

    test('may have fields that are not known', async () => {
      expect((await send(JSON.stringify({ name: 'laptop', colour: 'red' }))).status).toBe(200);
    });
  });

  describe('a NUL character, which PostgreSQL cannot hold,', () => {
    const signIn = { email: 'nobody\0@example.com', password: 'a password of nobody' };

    test.each<[string, string, () => Promise<Answer>]>([
      ['an address', 'id', () => user.browser.get('/keys/key_%00')],
      ['a query', 'model', () => user.browser.get('/usage?model=gen%00')],
      ['a body', 'email', () => new Visitor(api.app.baseUrl).post('/sign-in', signIn)],
      [
        'a list in a body',
        'models.0',
        () => user.browser.post('/keys', { name: 'x', models: ['\0'] }),
      ],
    ])('is refused in %s', async (_where, param, ask) => {
      expect(outcomeOf(await ask())).toEqual(wrong(param));
    });
  });

  test('an error names the field at fault and the trace ID', async () => {
    const answer = await user.browser.post('/keys', { name: 7 });
    expect(outcomeOf(answer)).toEqual(wrong('name'));
    expect(errorOf(answer).message).toMatch(/^name is invalid: /);
  });
});
