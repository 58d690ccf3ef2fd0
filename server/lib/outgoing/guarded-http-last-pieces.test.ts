import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import {
  bytesOf,
  get,
  noSignal,
  openTestHttp,
  serveBytes,
  serveRaw,
  type TestService,
  untilFree,
} from '../../../test/support/services/outgoing.ts';
import type { GuardedHttp } from './guarded-http.ts';
import { PieceReader } from './outgoing-body.ts';

const lengthAnswer = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';
const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

describe('an answer of which all that was wanted has come', () => {
  const begun = `${chunkedHead}5\r\nhello\r\n`;

  /** Reads the first piece and lets the answer end. */
  async function readFirst(http: GuardedHttp, service: TestService): Promise<void> {
    const { body } = await get(http, service);
    const reader = new PieceReader(body);
    await reader.read(() => false);
    body.letEnd?.();
    await reader.leave();
  }

  test('leaves its connection to the next request once it has ended', async () => {
    const service = await serveBytes(async (socket, number) => {
      if (number === 1) {
        socket.write(lengthAnswer);
        return;
      }
      socket.write(begun);
      await wasRead.promise;
      socket.write('2\r\nof\r\n');
      await new Promise(setImmediate);
      socket.write('0\r\n\r\n');
      wasEnded.resolve();
    });
    const wasRead = Promise.withResolvers<void>();
    const wasEnded = Promise.withResolvers<void>();
    const http = openTestHttp(service.origin);
    await readFirst(http, service);
    wasRead.resolve();
    await wasEnded.promise;
    await untilFree();
    expect((await bytesOf(await get(http, service))).toString()).toBe('hello');
    expect(service.connections()).toBe(1);
  });

  test('leaves it at once where it had ended already', async () => {
    const service = await serveBytes((socket) => socket.write(`${begun}0\r\n\r\n`));
    const http = openTestHttp(service.origin);
    for (let times = 0; times < 3; times++) {
      await readFirst(http, service);
      await untilFree();
    }
    expect(service.connections()).toBe(1);
  });

  test.each([
    ['falls silent', () => {}],
    ['goes on', (socket: Socket) => void drip(socket)],
  ])('and that %s instead is cut off', async (_name, then) => {
    const service = await serveBytes((socket) => {
      socket.write(begun);
      then(socket);
    });
    const http = openTestHttp(service.origin);
    await readFirst(http, service);
    await expect.poll(service.open, patience).toBe(0);
    await http.close();
  });

  test('and whose request is not sent yet is cut off', async () => {
    const service = await serveRaw((socket) => {
      socket.write(begun);
      // Takes a little of it, and again, so that it would go on for minutes.
      const sipping = setInterval(() => void socket.read(), 4);
      socket.on('close', () => clearInterval(sipping)).on('error', () => {});
    });
    const http = openTestHttp(service.origin);
    const url = new URL(service.origin);
    const piece = Buffer.alloc(64 * 1_048_576);
    const pieces = Array.from({ length: 64 }, () => piece);
    const { body } = await http.send({ method: 'POST', url, body: pieces }, noSignal);
    await new PieceReader(body).read(() => false);
    body.letEnd?.();
    await expect.poll(service.open, patience).toBe(0);
  });

  async function drip(socket: Socket): Promise<void> {
    while (!socket.destroyed) {
      socket.write('1\r\nx\r\n');
      await new Promise(setImmediate);
    }
  }
});
