import { FormData as UndiciFormData } from 'undici';
import { describe, expect, test } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import {
  type Answerer,
  openTestHttp,
  readForm,
  serve,
} from '../../../test/support/services/outgoing.ts';

const mebibyte = 1_048_576;
const give: Answerer = (_request, response) => response.end('{"ok":true}');

const picture = Buffer.alloc(100_000, 0x89);
const filled = { prompt: 'a cat', 'image[]': ['one.png', 'image/png', picture] };

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
    const body = fillForm(new Form());
    await openTestHttp(service.origin).fetch(service.origin, { method: 'POST', body });
    expect(await Promise.all(service.requests.map(readForm))).toEqual([filled]);
    const [received] = service.requests;
    expect(received?.headers['content-length']).toBe(String(received?.body.length));
  });

  test('sends a form within a Request as multipart', async () => {
    const service = await serve(give);
    const body = fillForm(new FormData());
    await openTestHttp(service.origin).fetch(new Request(service.origin, { method: 'POST', body }));
    expect(await Promise.all(service.requests.map(readForm))).toEqual([filled]);
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
    await expect.poll(waiting.open, patience).toBe(0);

    const talking = await serve((_request, response) => void response.write('part'));
    const second = new AbortController();
    const http = openTestHttp(talking.origin);
    const response = await http.fetch(talking.origin, { signal: second.signal });
    const read = response.text();
    second.abort(reason);
    await expect(read).rejects.toBe(reason);
    await expect.poll(talking.open, patience).toBe(0);

    const third = new AbortController();
    const body = new ReadableStream({ pull: () => third.abort(reason) });
    const init: RequestInit = { method: 'POST', body, duplex: 'half', signal: third.signal };
    await expect(http.fetch(talking.origin, init)).rejects.toBe(reason);
  });

  test('closes the connection when the answer is canceled', async () => {
    const service = await serve((_request, response) => void response.write('part'));
    const response = await openTestHttp(service.origin).fetch(service.origin);
    await response.body?.cancel();
    await expect.poll(service.open, patience).toBe(0);
  });

  test('closes the connection when the answer is left while it is awaited', async () => {
    const service = await serve((_request, response) => void response.write('part'));
    const response = await openTestHttp(service.origin).fetch(service.origin);
    const reader = response.body?.getReader();
    await reader?.read();
    const awaited = reader?.read();
    await reader?.cancel();
    await awaited;
    await expect.poll(service.open, patience).toBe(0);
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

function fillForm(form: FormData): FormData {
  form.append('prompt', 'a cat');
  form.append('image[]', new Blob([picture], { type: 'image/png' }), 'one.png');
  return form;
}

function aborted(): AbortSignal {
  return AbortSignal.abort(new Error('gone'));
}
