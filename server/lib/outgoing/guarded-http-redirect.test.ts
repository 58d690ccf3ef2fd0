import { describe, expect, test } from 'vitest';
import { answersOfDns } from '../../../test/support/callers/fetching.ts';
import { patience } from '../../../test/support/patience.ts';
import {
  type Answerer,
  openTestHttp,
  readForm,
  serve,
  startProxy,
  type TestService,
} from '../../../test/support/services/outgoing.ts';
import type { GuardedHttp } from './guarded-http.ts';

const give: Answerer = (_request, response) => response.end('{"ok":true}');
const forbidden = { name: 'OutgoingError', problem: 'forbidden' };

describe('a redirect of a fetch', () => {
  test('is followed three times and not a fourth', async () => {
    const service = await serve(({ url }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const { fetch } = openTestHttp(service.origin);
    const response = await fetch(`${service.origin}/3`);
    expect(response).toMatchObject({ redirected: true, url: `${service.origin}/0` });
    expect(await response.text()).toBe('there');
    await expect(fetch(`${service.origin}/4`)).rejects.toMatchObject(forbidden);
  });

  test('is an answer or an error where the library wants that', async () => {
    const service = await serve((_request, response) => {
      response.writeHead(302, { location: '/there' }).end();
    });
    const { fetch } = openTestHttp(service.origin);
    const manual = await fetch(service.origin, { redirect: 'manual' });
    expect(manual.status).toBe(302);
    expect(manual.headers.get('location')).toBe('/there');
    const refused = fetch(service.origin, { redirect: 'error' });
    await expect(refused).rejects.toMatchObject(forbidden);
    expect(service.requests).toHaveLength(2);
  });

  test.each([
    ['POST', 301, 'GET'],
    ['POST', 302, 'GET'],
    ['POST', 303, 'GET'],
    ['PUT', 303, 'GET'],
    ['PUT', 302, 'PUT'],
    ['POST', 307, 'POST'],
    ['POST', 308, 'POST'],
  ])('makes of a %s at status %i a %s', async (method, status, then) => {
    const service = await serve(({ url }, response) => {
      if (url === '/there') response.end();
      else response.writeHead(status, { location: '/there' }).end();
    });
    await openTestHttp(service.origin).fetch(service.origin, { method, body: 'the body' });
    const { method: used, body, headers } = service.requests[1] ?? {};
    expect(used).toBe(then);
    expect(body?.toString()).toBe(then === 'GET' ? '' : 'the body');
    expect('content-type' in (headers ?? {})).toBe(then !== 'GET');
  });

  test('carries a form over within the service', async () => {
    const service = await serve(({ url }, response) => {
      if (url === '/there') response.end();
      else response.writeHead(307, { location: '/there' }).end();
    });
    const body = new FormData();
    body.append('prompt', 'a cat');
    await openTestHttp(service.origin).fetch(service.origin, { method: 'POST', body });
    expect(await Promise.all(service.requests.map(readForm))).toEqual([
      { prompt: 'a cat' },
      { prompt: 'a cat' },
    ]);
  });

  test('carries no body to a foreign origin', async () => {
    const { service, elsewhere, http } = await withElsewhere((_request, response) => {
      response.writeHead(307, { location: 'http://pictures.example/' }).end();
    });
    const fetched = http.fetch(service.origin, { method: 'POST', body: 'a prompt' });
    await expect(fetched).rejects.toMatchObject(forbidden);
    expect(elsewhere.connections()).toBe(0);
  });

  test('never leads to an address that is not public', async () => {
    const hidden = await serve(give);
    const service = await serve((_request, response) => {
      response.writeHead(302, { location: `http://[::ffff:127.0.0.1]:${hidden.port}/` }).end();
    });
    const fetched = openTestHttp(service.origin).fetch(service.origin);
    await expect(fetched).rejects.toMatchObject(forbidden);
    expect(hidden.connections()).toBe(0);
  });
});

describe('a fetch from elsewhere', () => {
  test.each([
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://[::1]/',
    'http://pictures.example/',
    'data:text/plain,a',
  ])('is refused like a download: %s', async (url) => {
    const { fetch } = openTestHttp('https://service.example');
    await expect(fetch(url)).rejects.toMatchObject(forbidden);
  });

  const credentials = {
    authorization: 'Bearer abc',
    'api-key': 'abc',
    'x-api-key': 'abc',
    'x-key': 'abc',
    'x-goog-api-key': 'abc',
    'x-amz-security-token': 'abc',
    'x-anything-an-operator-added': 'abc',
    cookie: 'a=b',
  };

  test.each([
    ['asked for', 'http://pictures.example/a.png', give],
    [
      'redirected to',
      '/',
      (_request, response) => {
        response.writeHead(302, { location: 'http://pictures.example/a.png' }).end();
      },
    ],
  ] satisfies [string, string, Answerer][])(
    'tells it no credential when %s',
    async (_name, path, answer) => {
      const { service, elsewhere, http } = await withElsewhere(answer);
      const headers = { ...credentials, accept: 'image/png' };
      const response = await http.fetch(new URL(path, service.origin), { headers });
      expect(await response.json()).toEqual({ ok: true });
      expect(Object.keys(elsewhere.requests[0]?.headers ?? {}).toSorted()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
      await expect.poll(elsewhere.open, patience).toBe(0);
    },
  );

  test('tells the service all of them', async () => {
    const { service, http } = await withElsewhere(give);
    await http.fetch(service.origin, { headers: credentials });
    expect(service.requests[0]?.headers).toMatchObject(credentials);
  });

  test('may bring a body that the library means for it', async () => {
    const { elsewhere, http } = await withElsewhere(give);
    await http.fetch('http://pictures.example/upload', { method: 'PUT', body: 'bytes' });
    expect(elsewhere.requests[0]?.body.toString()).toBe('bytes');
  });
});

/** A service, and a public host that only a proxy can be made to lead to this machine for. */
async function withElsewhere(
  answer: Answerer,
): Promise<{ service: TestService; elsewhere: TestService; http: GuardedHttp }> {
  const service = await serve(answer);
  const elsewhere = await serve(give);
  const proxy = await startProxy({
    [`127.0.0.1:${service.port}`]: service.port,
    'pictures.example:80': elsewhere.port,
  });
  const resolve = answersOfDns('93.184.216.34');
  return { service, elsewhere, http: openTestHttp(service.origin, { proxy: proxy.url, resolve }) };
}
