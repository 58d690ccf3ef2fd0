import { FormData as UndiciFormData } from 'undici';
import { describe, expect, test } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import {
  type Answerer,
  bytesOf,
  closedPort,
  noSignal,
  openTestHttp,
  readForm,
  serve,
  serveRaw,
} from '../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { type OutgoingError, type OutgoingRequest, openGuardedHttp } from './guarded-http.ts';

const echo: Answerer = ({ body }, response) => response.end(body);
const mute: Answerer = () => {};

describe('a request', () => {
  test('goes to an origin of the service only', async () => {
    const service = await serve(echo);
    const http = openTestHttp(service.origin);
    for (const url of [
      `http://127.0.0.1:${service.port + 1}/`,
      `http://localhost:${service.port}/`,
      `https://127.0.0.1:${service.port}/`,
    ]) {
      const sent = http.send({ method: 'GET', url: new URL(url) }, noSignal);
      await expect(sent, url).rejects.toThrow('broken expectation');
    }
    expect(service.connections()).toBe(0);
  });

  test.each(['abc\ndef', 'abc\r', 'ab\0c', 'abc→'])(
    'is not sent with a header that HTTP cannot carry: %j',
    async (credential) => {
      const service = await serve(echo);
      const http = openTestHttp(service.origin);
      const headers = { authorization: `Bearer ${credential}` };
      const url = new URL(service.origin);
      const unsendable = { problem: 'unsendable', message: expect.not.stringContaining('abc') };
      const sent = http.send({ method: 'GET', url, headers }, noSignal);
      await expect(sent).rejects.toMatchObject(unsendable);
      const socket = http.openSocket(url, { headers, signal: noSignal });
      await expect(socket).rejects.toMatchObject(unsendable);
      expect(service.connections()).toBe(0);
    },
  );

  test('goes to each of several origins', async () => {
    const services = [await serve(echo), await serve(echo)];
    const http = openGuardedHttp({
      origins: services.map(({ origin }) => origin),
      proxy: null,
      firstByteMs: 20_000,
      idleMs: 20_000,
    });
    for (const { origin, requests } of services) {
      await bytesOf(await http.send({ method: 'GET', url: new URL(origin) }, noSignal));
      expect(requests).toHaveLength(1);
    }
  });

  test('carries its method, path and headers, and asks for no compression', async () => {
    const service = await serve(echo);
    const http = openTestHttp(service.origin);
    const url = new URL('/v1/jobs/7?wait=no', service.origin);
    const headers = { Authorization: 'Bearer abc', 'Accept-Encoding': 'gzip' };
    await bytesOf(await http.send({ method: 'DELETE', url, headers }, noSignal));
    expect(service.requests[0]).toMatchObject({
      method: 'DELETE',
      url: '/v1/jobs/7?wait=no',
      headers: {
        authorization: 'Bearer abc',
        'accept-encoding': 'identity',
        'user-agent': 'tintype',
      },
    });
  });

  test('may name another user agent', async () => {
    const service = await serve(echo);
    const http = openTestHttp(service.origin);
    const headers = { 'User-Agent': 'a gateway wants this' };
    await bytesOf(
      await http.send({ method: 'GET', url: new URL(service.origin), headers }, noSignal),
    );
    expect(service.requests[0]?.headers['user-agent']).toBe('a gateway wants this');
  });

  test.each([
    ['a text', 'prompt: ü', Buffer.from('prompt: ü')],
    ['a buffer', Buffer.from('bytes'), Buffer.from('bytes')],
    ['an empty buffer', Buffer.alloc(0), Buffer.alloc(0)],
    ['several buffers', [Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')], Buffer.from('abc')],
    ['as much as is written at once', Buffer.alloc(65_536, 7), Buffer.alloc(65_536, 7)],
    ['a byte more than that', Buffer.alloc(65_537, 7), Buffer.alloc(65_537, 7)],
    ['several megabytes', Buffer.alloc(5_000_000, 7), Buffer.alloc(5_000_000, 7)],
  ])('carries %s with its length', async (_name, body, expected) => {
    const service = await serve(echo);
    const http = openTestHttp(service.origin);
    await bytesOf(
      await http.send({ method: 'POST', url: new URL(service.origin), body }, noSignal),
    );
    expect(service.requests[0]?.headers).toMatchObject({ 'content-length': `${expected.length}` });
    expect(service.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
    expect(service.requests[0]?.body.equals(expected)).toBe(true);
  });

  test.each([
    ["undici's", UndiciFormData],
    ["the platform's", FormData],
  ])('carries a form of %s class as multipart', async (_name, Form) => {
    const service = await serve(echo);
    const http = openTestHttp(service.origin);
    const picture = Buffer.alloc(100_000, 0x89);
    const form = new Form();
    form.append('prompt', 'a cat');
    form.append('image[]', new Blob([picture], { type: 'image/png' }), 'one.png');
    const request: OutgoingRequest = { method: 'POST', url: new URL(service.origin), body: form };
    await bytesOf(await http.send(request, noSignal));
    expect(await Promise.all(service.requests.map(readForm))).toEqual([
      { prompt: 'a cat', 'image[]': ['one.png', 'image/png', picture] },
    ]);
    const [received] = service.requests;
    expect(received?.headers['content-length']).toBe(String(received?.body.length));
  });

  test('travels on a connection that an earlier one has left', async () => {
    const service = await serve(echo);
    const http = openTestHttp(service.origin);
    for (let times = 0; times < 10; times++) {
      await bytesOf(await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal));
    }
    // Asked at once, the one before is not yet free.
    expect(service.connections()).toBeLessThanOrEqual(2);
  });
});

describe('an answer', () => {
  test.each([200, 302, 404, 500])('of status %i is an answer', async (status) => {
    const service = await serve((_request, response) => {
      response.writeHead(status, { Location: '/elsewhere', 'X-Two': ['a', 'b'] }).end('text');
    });
    const http = openTestHttp(service.origin);
    const answer = await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal);
    expect(answer).toMatchObject({ status, headers: { location: '/elsewhere', 'x-two': 'a, b' } });
    expect((await bytesOf(answer)).toString()).toBe('text');
    expect(service.requests).toHaveLength(1);
  });

  test('comes in pieces, as they are sent', async () => {
    const go = Promise.withResolvers<void>();
    const service = await serve(async (_request, response) => {
      response.write('first');
      await go.promise;
      response.end('last');
    });
    const http = openTestHttp(service.origin);
    const { body } = await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal);
    const seen: string[] = [];
    for await (const piece of body) {
      seen.push(piece.toString());
      go.resolve();
    }
    expect(seen).toEqual(['first', 'last']);
  });

  test.each([
    [
      'is left in the middle',
      async (body: AsyncIterable<Buffer>) => {
        for await (const _piece of body) break;
      },
    ],
    ['is discarded', null],
  ])('that %s closes the connection', async (_name, leave) => {
    const service = await serve((_request, response) => void response.write('a piece'));
    const http = openTestHttp(service.origin);
    const answer = await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal);
    if (leave) await leave(answer.body);
    else answer.discard();
    await expect.poll(service.open, patience).toBe(0);
  });

  test('that comes before the request was read whole is read', async () => {
    const service = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 401 Unauthorized\r\ncontent-length: 4\r\n\r\ntext');
      });
    });
    const http = openTestHttp(service.origin);
    const body = Buffer.alloc(30_000_000);
    const request = { method: 'POST', url: new URL(service.origin), body } as const;
    const answer = await http.send(request, noSignal);
    expect(answer.status).toBe(401);
    expect((await bytesOf(answer)).toString()).toBe('text');
  });

  test('with headers of up to 32 KiB is read, and with more it is not', async () => {
    const service = await serve(({ url }, response) => {
      response.writeHead(200, { 'x-long': 'x'.repeat(url === '/fits' ? 32_000 : 33_000) }).end();
    });
    const http = openTestHttp(service.origin);
    const fits = { method: 'GET', url: new URL('/fits', service.origin) } as const;
    expect((await http.send(fits, noSignal)).headers['x-long']).toHaveLength(32_000);
    const over = http.send({ method: 'GET', url: new URL('/over', service.origin) }, noSignal);
    await expect(over).rejects.toMatchObject({ problem: 'too_large' });
  });
});

describe('there is no whole answer', () => {
  const problemOf = async (origin: string, limits = {}): Promise<OutgoingError> => {
    const http = openTestHttp(origin, limits);
    const url = new URL('/secret-path?key=secret-key', origin);
    const request = { method: 'POST', url, body: 'secret-prompt' } as const;
    // What the tests below expect of it shows whether it is one.
    return (await thrownBy(http.send(request, noSignal).then(bytesOf))) as OutgoingError;
  };

  test('without a connection: refused, no such name, no TLS, no trust', async () => {
    const untrusted = await serve(echo, { tls: true });
    const hangingUp = await serveRaw((socket) => socket.destroy());
    for (const origin of [
      `http://127.0.0.1:${await closedPort()}`,
      'http://nowhere.invalid',
      `https://127.0.0.1:${hangingUp.port}`,
      untrusted.origin,
    ]) {
      expect(await problemOf(origin), origin).toMatchObject({ problem: 'connect' });
    }
    expect(untrusted.requests).toEqual([]);
  });

  test('when the connection ends before it', async () => {
    const service = await serve((_request, response) => void response.destroy());
    expect(await problemOf(service.origin)).toMatchObject({ problem: 'cut' });
  });

  test('when the connection is reset before it', async () => {
    const service = await serveRaw((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    expect(await problemOf(service.origin)).toMatchObject({ problem: 'cut' });
  });

  test.each([
    ['its announced length', { 'content-length': '1000' }],
    ['its last chunk', {}],
  ])('when the connection ends before %s', async (_name, headers) => {
    const service = await serve((_request, response) => {
      response.writeHead(200, headers).write('part', () => response.destroy());
    });
    expect(await problemOf(service.origin)).toMatchObject({ problem: 'cut' });
  });

  test('when it is not HTTP', async () => {
    const service = await serveRaw((socket) => socket.end('secret-answer, not HTTP\r\n\r\n'));
    expect(await problemOf(service.origin)).toMatchObject({ problem: 'cut' });
  });

  test('when its first byte does not come in time', async () => {
    const service = await serve(mute);
    expect(await problemOf(service.origin, { firstByteMs: 100 })).toMatchObject({
      problem: 'slow',
    });
    await expect.poll(service.open, patience).toBe(0);
  });

  test('when it falls silent', async () => {
    const service = await serve((_request, response) => void response.write('part'));
    expect(await problemOf(service.origin, { idleMs: 100 })).toMatchObject({ problem: 'slow' });
    await expect.poll(service.open, patience).toBe(0);
  });

  test('and the error says nothing of address, request or answer', async () => {
    const service = await serveRaw((socket) => socket.end('secret-answer, not HTTP\r\n\r\n'));
    for (const [origin, message] of [
      [service.origin, 'the connection ended early'],
      [`http://127.0.0.1:${await closedPort()}`, 'no connection (ECONNREFUSED)'],
    ] as const) {
      const error = await problemOf(origin);
      expect(error).toMatchObject({ name: 'OutgoingError', message });
      expect(error.cause).toBeUndefined();
    }
  });
});

test('closing lets what runs end, takes nothing new, and frees the connections', async () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const service = await serve(async (_request, response) => {
    asked.resolve();
    await go.promise;
    response.end('whole');
  });
  const http = openTestHttp(service.origin);
  const request = { method: 'GET', url: new URL(service.origin) } as const;
  const read = http.send(request, noSignal).then(bytesOf);
  await asked.promise;
  const closed = http.close();
  await expect(http.send(request, noSignal)).rejects.toMatchObject({ problem: 'connect' });
  go.resolve();
  expect((await read).toString()).toBe('whole');
  await closed;
  await expect.poll(service.open, patience).toBe(0);
});
