import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { redirect, serveToFetch } from '../../../test/support/callers/fetching.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { systemClock } from '../clock.ts';
import { createSafeFetch } from './safe-fetch.ts';
import type { PostOptions } from './safe-fetch-requests.ts';

const timeoutMs = 10_000;

function post(url: string, options: Partial<PostOptions> = {}, clock = systemClock) {
  return createSafeFetch({ clock }).post(url, { headers: {}, body: '{}', timeoutMs, ...options });
}

test('posts to a private address and answers with the status', async () => {
  const bodies: string[] = [];
  const server = await serveToFetch((request, response) => {
    request.on('data', (piece: Buffer) => bodies.push(piece.toString()));
    request.on('end', () => response.writeHead(202).end('thanks'));
  });
  const headers = { 'content-type': 'application/json', 'x-one': '1' };
  const outcome = await post(server.url, { headers, body: '{"a":1}' });
  expect(outcome).toEqual({ kind: 'answered', status: 202 });
  expect(bodies.join('')).toBe('{"a":1}');
  expect(server.requests).toMatchObject([{ headers }]);
});

test('takes a redirect for an answer and does not follow it', async () => {
  const server = await serveToFetch((_request, response) => redirect(response, '/again', 307));
  expect(await post(server.url)).toEqual({ kind: 'answered', status: 307 });
  expect(server.requests).toHaveLength(1);
});

test('does not read an answer without an end', async () => {
  const server = await serveToFetch((_request, response) => {
    response.writeHead(200);
    const pour = () => {
      while (response.writable && response.write(Buffer.alloc(65_536)));
      if (response.writable) response.once('drain', pour);
    };
    pour();
  });
  expect(await post(server.url)).toEqual({ kind: 'answered', status: 200 });
});

test('fails when there is no answer in time, and leaves the connection', async () => {
  const clock = new ManualClock();
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = await serveToFetch((request) => {
    request.socket.on('close', () => left.resolve());
    asked.resolve();
  });
  const outcome = post(server.url, {}, clock);
  await asked.promise;
  clock.advance(timeoutMs);
  expect(await outcome).toEqual({ kind: 'failed', reason: 'no answer in time' });
  await left.promise;
});

test.each([
  ['nobody listens', async () => `http://127.0.0.1:${await freePort()}/hook?key=hunter2`],
  ['what answers is not HTTP', async () => (await serveToFetch(speakSsh)).url],
  ['it is not such a URL', async () => 'ftp://hunter2@a.example/'],
])('fails without a word of the URL when %s', async (_case, url) => {
  const outcome = await post(await url());
  expect(outcome).toMatchObject({ kind: 'failed' });
  expect(outcome.kind === 'failed' && outcome.reason).toMatch(/^no connection( \([A-Z_]+\))?$/);
});

test('throws the reason of the signal that ends it', async () => {
  const stop = new AbortController();
  const server = await serveToFetch(() => stop.abort(new Error('stopped')));
  await expect(post(server.url, { signal: stop.signal })).rejects.toThrow('stopped');
});

function speakSsh({ socket }: IncomingMessage): void {
  socket.end('SSH-2.0-OpenSSH_9.2\r\n');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
