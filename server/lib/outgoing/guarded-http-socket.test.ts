import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type WebSocket as ServedSocket, WebSocketServer } from 'ws';
import { patience } from '../../../test/support/patience.ts';
import {
  closedPort,
  noSignal,
  openTestHttp,
  serve,
  serveRaw,
} from '../../../test/support/services/outgoing.ts';

const mebibyte = 1_048_576;

describe('a WebSocket', () => {
  test('is open when it is given, and carries texts and bytes both ways', async () => {
    const service = await serveSocket((socket) => {
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    });
    const http = openTestHttp(service.origin);
    const socket = await http.openSocket(service.url, { signal: noSignal });
    expect(socket.readyState).toBe(socket.OPEN);
    socket.send('text');
    expect(await messageOf(socket)).toBe('text');
    socket.send(Buffer.from('bytes'));
    expect(Buffer.from((await messageOf(socket)) as ArrayBuffer)).toEqual(Buffer.from('bytes'));
  });

  test('is asked for with the given headers', async () => {
    const requests: IncomingMessage[] = [];
    const service = await serveSocket((_socket, request) => requests.push(request));
    const http = openTestHttp(service.origin);
    const headers = { authorization: 'Bearer abc' };
    await http.openSocket(service.url, { signal: noSignal, headers });
    expect(requests[0]).toMatchObject({
      url: '/ws?clientId=7',
      headers: { authorization: 'Bearer abc', 'user-agent': 'tintype' },
    });
  });

  test('goes to an origin of the service only', async () => {
    const service = await serveSocket(() => {});
    const http = openTestHttp('http://service.example');
    const opened = http.openSocket(service.url, { signal: noSignal });
    await expect(opened).rejects.toThrow('broken expectation');
    expect(service.connections()).toBe(0);
  });

  test('takes messages of 64 MiB and none of a byte more', async () => {
    const service = await serveSocket((socket) => {
      socket.on('message', (data) => socket.send(Buffer.alloc(Number(data))));
    });
    const http = openTestHttp(service.origin);
    const socket = await http.openSocket(service.url, { signal: noSignal });
    socket.send(String(64 * mebibyte));
    expect(((await messageOf(socket)) as ArrayBuffer).byteLength).toBe(64 * mebibyte);
    const closed = once(socket, 'close');
    socket.send(String(64 * mebibyte + 1));
    await closed;
  });
});

describe('a WebSocket does not open', () => {
  test('without a connection', async () => {
    const origin = `http://127.0.0.1:${await closedPort()}`;
    const opened = openTestHttp(origin).openSocket(socketUrl(origin), { signal: noSignal });
    await expect(opened).rejects.toMatchObject({ name: 'OutgoingError', problem: 'connect' });
  });

  test.each([200, 302, 401, 404, 500])('where the answer is status %i', async (status) => {
    const service = await serve((_request, response) => {
      response.writeHead(status, { location: '/there' }).end('secret-answer');
    });
    const { origin } = service;
    const opened = openTestHttp(origin).openSocket(socketUrl(origin), { signal: noSignal });
    await expect(opened).rejects.toMatchObject({
      problem: 'connect',
      message: `answered with status ${status}`,
    });
    expect(service.requests.map(({ url }) => url)).not.toContain('/there');
  });

  test('where the connection ends, or speaks something else', async () => {
    for (const answer of ['', 'not HTTP', 'HTTP/1.1 101 Switching Protocols\r\n\r\n']) {
      const { origin } = await serveRaw((socket) => socket.end(answer));
      const opened = openTestHttp(origin).openSocket(socketUrl(origin), { signal: noSignal });
      await expect(opened, answer).rejects.toMatchObject({ problem: 'connect' });
    }
  });

  test('where no answer comes in time', async () => {
    const service = await serveRaw((socket) => void socket.resume());
    const http = openTestHttp(service.origin, { firstByteMs: 100 });
    const opened = http.openSocket(socketUrl(service.origin), { signal: noSignal });
    await expect(opened).rejects.toMatchObject({ problem: 'slow' });
    await expect.poll(service.open, patience).toBe(0);
  });
});

describe('when the caller aborts, a WebSocket', () => {
  const reason = new Error('the caller is gone');

  test('is not asked for', async () => {
    const service = await serveSocket(() => {});
    const signal = AbortSignal.abort(reason);
    const opened = openTestHttp(service.origin).openSocket(service.url, { signal });
    await expect(opened).rejects.toBe(reason);
    expect(service.connections()).toBe(0);
  });

  test('that is being opened closes', async () => {
    const controller = new AbortController();
    const service = await serveRaw((socket) => {
      socket.once('data', () => controller.abort(reason));
    });
    const { signal } = controller;
    const opened = openTestHttp(service.origin).openSocket(socketUrl(service.origin), { signal });
    await expect(opened).rejects.toBe(reason);
    await expect.poll(service.open, patience).toBe(0);
  });

  test('that is open closes, though the service says no farewell', async () => {
    const controller = new AbortController();
    const service = await serveSocket((socket) => socket.pause());
    const { signal } = controller;
    const socket = await openTestHttp(service.origin).openSocket(service.url, { signal });
    const closed = once(socket, 'close');
    controller.abort(reason);
    await closed;
    expect(socket.readyState).toBe(socket.CLOSED);
  });

  test('that has been closed stays so', async () => {
    const controller = new AbortController();
    const service = await serveSocket(() => {});
    const { signal } = controller;
    const socket = await openTestHttp(service.origin).openSocket(service.url, { signal });
    const closed = once(socket, 'close');
    socket.close();
    await closed;
    controller.abort(reason);
    expect(socket.readyState).toBe(socket.CLOSED);
  });
});

async function serveSocket(
  accept: (socket: ServedSocket, request: IncomingMessage) => void,
): Promise<{ origin: string; url: URL; connections: () => number }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
  let connections = 0;
  server.on('connection', (socket, request) => {
    connections++;
    socket.on('error', () => {});
    accept(socket, request);
  });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  // A listening TCP server's address is never a string.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, url: socketUrl(origin), connections: () => connections };
}

function socketUrl(origin: string): URL {
  return new URL('/ws?clientId=7', origin.replace(/^http/, 'ws'));
}

async function messageOf(socket: WebSocket): Promise<unknown> {
  const message = Promise.withResolvers<unknown>();
  socket.addEventListener('message', ({ data }) => message.resolve(data), { once: true });
  return await message.promise;
}
