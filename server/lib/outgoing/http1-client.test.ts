import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import {
  bytesOf,
  closedPort,
  noSignal,
  serveRaw,
  untilFree,
} from '../../../test/support/services/outgoing.ts';
import { Http1Client, idleConnectionsMax } from './http1-client.ts';

const askingProgram = fileURLToPath(
  new URL('../../../test/support/processes/asking-program.ts', import.meta.url),
);
const noLimitMs = 60_000;
/** Kept for longer than any test takes. */
const answer = 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 5\r\n\r\nhello';

const request = { method: 'GET', head: 'GET / HTTP/1.1\r\nhost: a\r\n\r\n', body: [] };

async function ask(client: Http1Client, origin: string): Promise<string> {
  return (await bytesOf(await client.send(new URL(origin), request, noSignal))).toString();
}

/** Answers once its connection may be used again. */
async function askAndRest(client: Http1Client, origin: string): Promise<void> {
  await ask(client, origin);
  await untilFree();
}

/** Asks as often at the same time, and has the answers come one behind the other. */
async function openMany(count: number) {
  const sockets: Socket[] = [];
  const asked = Promise.withResolvers<void>();
  const service = await serveRaw((socket) => {
    // A request is one write, and these are too small to come in parts.
    socket.on('data', () => {
      if (sockets.includes(socket)) socket.write(answer);
      else if (sockets.push(socket) === count) asked.resolve();
    });
  });
  const client = new Http1Client({ firstByteMs: noLimitMs, idleMs: noLimitMs });
  let answered = Promise.withResolvers<void>();
  const all = Array.from({ length: count }, async () => {
    await askAndRest(client, service.origin);
    answered.resolve();
  });
  await asked.promise;
  for (const socket of sockets) {
    answered = Promise.withResolvers();
    socket.write(answer);
    await answered.promise;
  }
  await Promise.all(all);
  return { service, client, sockets };
}

describe('connections that wait for their next request', () => {
  test('are as many as may, and carry as many requests', async () => {
    const { service, client } = await openMany(idleConnectionsMax);
    const again = Array.from({ length: idleConnectionsMax }, () =>
      askAndRest(client, service.origin),
    );
    await Promise.all(again);
    expect(service.connections()).toBe(idleConnectionsMax);
    expect(service.open()).toBe(idleConnectionsMax);
  });

  test('are not more: whichever waits longest is closed', async () => {
    const { service, sockets } = await openMany(idleConnectionsMax + 2);
    await expect.poll(service.open, patience).toBe(idleConnectionsMax);
    const closed = sockets.flatMap((socket, index) => (socket.destroyed ? [index] : []));
    expect(closed).toEqual([0, 1]);
  });

  test('are used again from the last one on, so that those of a burst come to their end', async () => {
    const { service, client, sockets } = await openMany(3);
    await askAndRest(client, service.origin);
    await askAndRest(client, service.origin);
    const answers = sockets.map(({ bytesWritten }) => bytesWritten / answer.length);
    expect(answers).toEqual([1, 1, 3]);
  });
});

test('a connection on which something comes that nobody asked for is closed', async () => {
  const { service, sockets } = await openMany(1);
  expect(service.open()).toBe(1);
  sockets[0]?.write(answer);
  await expect.poll(service.open, patience).toBe(0);
});

test('a connection is closed before its service forgets it, so that no request meets that', async () => {
  const kept = answer.replace('600', '3');
  const service = await serveRaw((socket) => socket.on('data', () => socket.write(kept)));
  const client = new Http1Client({ firstByteMs: noLimitMs, idleMs: noLimitMs });
  await askAndRest(client, service.origin);
  expect(service.open()).toBe(1);
  await expect.poll(service.open, patience).toBe(0);
});

test('an answer that falls silent ends also where its reader had let it wait', async () => {
  const length = 4 * 1024 * 1024;
  const service = await serveRaw((socket) => {
    socket.on('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`);
      socket.write(Buffer.alloc(length - 1));
    });
  });
  const client = new Http1Client({ firstByteMs: noLimitMs, idleMs: 100 });
  const answered = await client.send(new URL(service.origin), request, noSignal);
  // What comes meanwhile is more than is kept for a reader.
  for (let times = 0; times < 50; times++) await untilFree();
  await expect(bytesOf(answered)).rejects.toMatchObject({ problem: 'slow' });
});

test('a connection keeps its process alive as long as somebody waits for an answer, and no longer', async () => {
  const service = await serveRaw((socket) => socket.on('data', () => socket.write(answer)));
  const child = spawn(process.execPath, [askingProgram, service.origin], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([said, code]).toEqual(['hellohello', 0]);
  expect(service.connections()).toBe(1);
});

describe('closing', () => {
  test('leaves no connection open whose answer was read just now', async () => {
    const service = await serveRaw((socket) => socket.on('data', () => socket.write(answer)));
    const client = new Http1Client({ firstByteMs: noLimitMs, idleMs: noLimitMs });
    expect(await ask(client, service.origin)).toBe('hello');
    await client.close();
    await expect.poll(service.open, patience).toBe(0);
  });

  test('leaves no connection open that waits for its next request', async () => {
    const { service, client } = await openMany(3);
    expect(service.open()).toBe(3);
    await client.close();
    await expect.poll(service.open, patience).toBe(0);
  });

  test('waits for what runs, also where everything had ended before', async () => {
    const asked = Promise.withResolvers<Socket>();
    const service = await serveRaw((socket) => {
      let times = 0;
      socket.on('data', () => {
        if (++times === 1) socket.write(answer);
        else asked.resolve(socket);
      });
    });
    const client = new Http1Client({ firstByteMs: noLimitMs, idleMs: noLimitMs });
    await askAndRest(client, service.origin);
    const running = ask(client, service.origin);
    const socket = await asked.promise;
    let isClosed = false;
    const closing = client.close().then(() => {
      isClosed = true;
    });
    await untilFree();
    expect(isClosed).toBe(false);
    socket.write(answer);
    expect(await running).toBe('hello');
    await closing;
  });

  test('waits for no request that found no connection', async () => {
    const client = new Http1Client({ firstByteMs: noLimitMs, idleMs: noLimitMs });
    const origin = `http://127.0.0.1:${await closedPort()}`;
    await expect(ask(client, origin)).rejects.toMatchObject({ problem: 'connect' });
    await expect(client.close()).resolves.toBeUndefined();
  });
});

test('a service that closes behind each answer, without a word of it, may be asked at once again', async () => {
  const service = await serveRaw((socket) => socket.on('data', () => socket.end(answer)));
  const client = new Http1Client({ firstByteMs: noLimitMs, idleMs: noLimitMs });
  for (let times = 0; times < 20; times++) {
    expect(await ask(client, service.origin)).toBe('hello');
  }
});
