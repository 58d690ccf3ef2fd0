import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import {
  bytesOf,
  noSignal,
  openTestHttp,
  serve,
  serveRaw,
  untilFree,
} from '../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { Base64Piece } from '../pictures/base64-pieces.ts';

const picture = Buffer.alloc(5_000_000, 'a picture');
const body = [Buffer.from('{"image":"'), new Base64Piece([picture]), Buffer.from('"}')];
const sent = Buffer.from(`{"image":"${picture.toString('base64')}"}`);

test('a body that is made as it is sent arrives whole, also a second time', async () => {
  const service = await serve((_request, response) => response.end());
  const http = openTestHttp(service.origin);
  const request = { method: 'POST', url: new URL(service.origin), body } as const;
  for (let times = 0; times < 2; times++) {
    await bytesOf(await http.send(request, noSignal));
    await untilFree();
  }
  expect(service.requests.map((each) => each.body.equals(sent))).toEqual([true, true]);
  expect(service.connections()).toBe(1);
});

test('a service that reads slowly gets as much at a time as it takes', async () => {
  const received: Buffer[] = [];
  const service = await serveRaw((socket) => void readSlowly(socket, received));
  const http = openTestHttp(service.origin);
  const request = { method: 'POST', url: new URL(service.origin), body } as const;
  await bytesOf(await http.send(request, noSignal));
  const whole = Buffer.concat(received);
  expect(whole.subarray(whole.indexOf('\r\n\r\n') + 4).equals(sent)).toBe(true);
});

test('the rest is not made, nor sent, once the service has answered', async () => {
  const service = await serveRaw((socket) => {
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
      // Everything that is still to come could be sent now.
      setTimeout(() => socket.resume(), 50);
    });
  });
  let made = 0;
  const bytes = 500_000_000;
  const start = () => (memory: Buffer) => {
    made += memory.length;
    return memory.length;
  };
  const http = openTestHttp(service.origin);
  const large = [{ length: bytes, start }];
  const request = { method: 'POST', url: new URL(service.origin), body: large } as const;
  const answer = await http.send(request, noSignal);
  expect([answer.status, (await bytesOf(answer)).length]).toEqual([413, 0]);
  await expect.poll(service.open, patience).toBe(0);
  expect(made).toBeLessThan(bytes / 10);
});

test('a body that gets shorter while it is sent fails the request', async () => {
  const piece = { length: 1000, start: () => () => 0 };
  const service = await serve((_request, response) => response.end());
  const http = openTestHttp(service.origin);
  const request = { method: 'POST', url: new URL(service.origin), body: [piece] } as const;
  expect(await thrownBy(http.send(request, noSignal))).toMatchObject({ problem: 'cut' });
});

async function readSlowly(socket: Socket, received: Buffer[]): Promise<void> {
  let bytes = 0;
  for (;;) {
    const piece = socket.read() as Buffer | null;
    if (!piece) {
      await once(socket, 'readable');
      continue;
    }
    received.push(piece);
    bytes += piece.length;
    if (bytes > sent.length) break;
    await new Promise(setImmediate);
  }
  socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
}
