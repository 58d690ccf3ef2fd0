import { FormData as UndiciFormData } from 'undici';
import { describe, expect, test } from 'vitest';
import { answersOfDns } from '../../test/support/fetching.ts';
import {
  type Answerer,
  openTestHttp,
  type ReceivedRequest,
  serve,
  startProxy,
  type TestService,
} from '../../test/support/outgoing.ts';
import type { GuardedHttp } from './guarded-http.ts';

const mebibyte = 1_048_576;
const give: Answerer = (_request, response) => response.end('{"ok":true}');
const forbidden = { name: 'OutgoingError', problem: 'forbidden' };

describe('fetch', () => {
  test('gives the answer as the platform would', async () => {
    const service = await serve((_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r1' });
      response.end('{"ok":true}');
    });
    const { fetch } = openTestHttp(service.origin);
    const response = await fetch(`${service.origin}/v1?a=b#c`);
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({
      ok: true,
      status: 201,
      redirected: false,
      url: `${service.origin}/v1?a=b#c`,
    });
    expect(response.headers.get('x-request-id')).toBe('r1');
    expect(await response.json()).toEqual({ ok: true });
    expect(service.requests[0]).toMatchObject({ method: 'GET', url: '/v1?a=b' });
  });

  test.each([204, 304])('gives an answer of status %i without a body', async (status) => {
    const service = await serve((_request, response) => response.writeHead(status).end());
    const response = await openTestHttp(service.origin).fetch(service.origin);
    expect(response.status).toBe(status);
    expect(response.body).toBeNull();
  });

  test('gives what has no status of HTTP as an error', async () => {
    const service = await serve((_request, response) => response.writeHead(700).end());
    const fetched = openTestHttp(service.origin).fetch(service.origin);
    await expect(fetched).rejects.toMatchObject({ problem: 'status' });
  });

  const stream = () => new Blob(['bytes of a body']).stream();
  test.each([
    ['a text', () => 'bytes of a body', 'text/plain;charset=UTF-8'],
    ['bytes', () => new TextEncoder().encode('bytes of a body'), undefined],
    ['a blob', () => new Blob(['bytes of a body'], { type: 'image/png' }), 'image/png'],
    ['a stream', stream, undefined],
    [
      'parameters',
      () => new URLSearchParams({ a: 'b' }),
      'application/x-www-form-urlencoded;charset=UTF-8',
    ],
  ])('sends %s with its type and length', async (_name, body, type) => {
    const service = await serve(give);
    const { fetch } = openTestHttp(service.origin);
    const init: RequestInit = { method: 'PUT', body: body(), duplex: 'half' };
    await fetch(service.origin, init);
    await fetch(new Request(service.origin, { ...init, body: body() }));
    for (const request of service.requests) {
      expect(request.headers['content-type']).toBe(type);
      expect(request.headers['content-length']).toBe(String(request.body.length));
      expect(request.body.toString()).toMatch(/^(bytes of a body|a=b)$/);
    }
    expect(service.requests).toHaveLength(2);
  });

  test.each([
    ["the platform's", FormData],
    ["undici's", UndiciFormData],
  ])('sends a form of %s class as multipart', async (_name, Form) => {
    const service = await serve(give);
    const form = new Form();
    form.append('prompt', 'a cat');
    form.append('image', new Blob([Buffer.alloc(100_000, 0x89)], { type: 'image/png' }), 'one.png');
    // The platform's type knows only its own class; the other is what a stray library would pass.
    const body = form as FormData;
    await openTestHttp(service.origin).fetch(service.origin, { method: 'POST', body });
    await expectForm(service.requests[0]);
  });

  test('sends a form within a Request as multipart', async () => {
    const service = await serve(give);
    const body = new FormData();
    body.append('prompt', 'a cat');
    body.append('image', new Blob([Buffer.alloc(100_000, 0x89)], { type: 'image/png' }), 'one.png');
    await openTestHttp(service.origin).fetch(new Request(service.origin, { method: 'POST', body }));
    await expectForm(service.requests[0]);
  });

  test('sends the headers of a library, but its own about the connection', async () => {
    const service = await serve(give);
    await openTestHttp(service.origin).fetch(service.origin, {
      method: 'POST',
      headers: {
        Authorization: 'Key abc',
        'Content-Length': '3',
        Connection: 'close',
        'User-Agent': 'a library',
      },
      body: 'more than that',
    });
    expect(service.requests[0]?.headers).toMatchObject({
      authorization: 'Key abc',
      'content-length': '14',
      connection: 'keep-alive',
      'user-agent': 'a library',
      'accept-encoding': 'identity',
    });
  });

  test.each([
    ['before it', () => AbortSignal.abort(new Error('gone'))],
    ['by the Request', () => new Request('http://service.example', { signal: aborted() }).signal],
  ])('ends with the reason of a signal that aborted %s', async (_name, signal) => {
    const service = await serve(give);
    const { fetch } = openTestHttp(service.origin);
    await expect(fetch(service.origin, { signal: signal() })).rejects.toThrow('gone');
    const request = new Request(service.origin, { signal: signal() });
    await expect(fetch(request)).rejects.toThrow('gone');
    expect(service.connections()).toBe(0);
  });

  test('ends with the signal before the answer, within it, and while a body is made', async () => {
    const reason = new Error('gone');
    const controller = new AbortController();
    const waiting = await serve(() => controller.abort(reason));
    const { signal } = controller;
    const fetched = openTestHttp(waiting.origin).fetch(waiting.origin, { signal });
    await expect(fetched).rejects.toBe(reason);
    await waiting.abandoned();

    const talking = await serve((_request, response) => void response.write('part'));
    const second = new AbortController();
    const http = openTestHttp(talking.origin);
    const response = await http.fetch(talking.origin, { signal: second.signal });
    const read = response.text();
    second.abort(reason);
    await expect(read).rejects.toBe(reason);
    await talking.abandoned();

    const third = new AbortController();
    const body = new ReadableStream({ pull: () => third.abort(reason) });
    const init: RequestInit = { method: 'POST', body, duplex: 'half', signal: third.signal };
    await expect(http.fetch(talking.origin, init)).rejects.toBe(reason);
  });

  test('closes the connection when the answer is canceled', async () => {
    const service = await serve((_request, response) => void response.write('part'));
    const response = await openTestHttp(service.origin).fetch(service.origin);
    await response.body?.cancel();
    await service.abandoned();
  });

  test('closes the connection when the answer is left while it is awaited', async () => {
    const service = await serve((_request, response) => void response.write('part'));
    const response = await openTestHttp(service.origin).fetch(service.origin);
    const reader = response.body?.getReader();
    await reader?.read();
    const awaited = reader?.read();
    await reader?.cancel();
    await awaited;
    await service.abandoned();
  });

  test('has the problems and time limits of every answer', async () => {
    const service = await serve(({ url }, response) => {
      if (url === '/cut') response.write('part', () => response.destroy());
      else if (url === '/silent') response.write('part');
    });
    const { fetch } = openTestHttp(service.origin, { firstByteMs: 100, idleMs: 100 });
    const mute = fetch(`${service.origin}/mute`);
    await expect(mute).rejects.toMatchObject({ problem: 'slow' });
    const silent = await fetch(`${service.origin}/silent`);
    await expect(silent.text()).rejects.toMatchObject({ problem: 'slow' });
    const cut = await fetch(`${service.origin}/cut`);
    await expect(cut.text()).rejects.toMatchObject({ problem: 'cut' });
  });

  test('reads 64 MiB and not a byte more', async () => {
    const service = await serve(({ url }, response) => {
      const pieces = Array.from({ length: 64 }, () => Buffer.alloc(mebibyte));
      if (url === '/over') pieces.push(Buffer.alloc(1));
      response.end(Buffer.concat(pieces));
    });
    const { fetch } = openTestHttp(service.origin);
    const whole = await fetch(`${service.origin}/fits`);
    expect((await whole.arrayBuffer()).byteLength).toBe(64 * mebibyte);
    const over = await fetch(`${service.origin}/over`);
    await expect(over.arrayBuffer()).rejects.toMatchObject({ problem: 'too_large' });
  });
});

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
    body.append('image', new Blob([Buffer.alloc(100_000, 0x89)], { type: 'image/png' }), 'one.png');
    await openTestHttp(service.origin).fetch(service.origin, { method: 'POST', body });
    await expectForm(service.requests[1]);
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
      await elsewhere.abandoned();
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

async function expectForm(request: ReceivedRequest | undefined): Promise<void> {
  const type = request?.headers['content-type'] ?? '';
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  expect(request?.headers['content-length']).toBe(String(request?.body.length));
  const read = await new Response(request?.body, { headers: { 'content-type': type } }).formData();
  expect(read.get('prompt')).toBe('a cat');
  expect(read.get('image')).toMatchObject({ name: 'one.png', type: 'image/png', size: 100_000 });
}

function aborted(): AbortSignal {
  return AbortSignal.abort(new Error('gone'));
}
