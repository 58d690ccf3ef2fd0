/** Whether a service can have had a request whole, when there is no answer to it. */
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  noSignal,
  openTestHttp,
  serveRaw,
  startProxy,
} from '../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import type { BodyPiece } from '../bytes/body-pieces.ts';

/** More than all that lies between us and a service takes without being read. */
const bytes = 64 * 1024 ** 2;
const large = [Buffer.from('{"image":"'), made(bytes), Buffer.from('"}')];
const small = [Buffer.from('{"prompt":"a fox"}')];

/** Of whatever lies in the memory, which may be larger than was asked for. */
function made(length: number): BodyPiece {
  const start = () => {
    let left = length;
    return (memory: Buffer) => {
      const bytes = Math.min(left, memory.length);
      left -= bytes;
      return bytes;
    };
  };
  return { length, start };
}

/** Reads so much of a request, then does what it does. */
function served(bytesRead: number, then: (socket: Socket) => void) {
  return serveRaw((socket) => {
    let read = 0;
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      const before = read;
      read += piece.length;
      if (read < bytesRead) return;
      if (before < bytesRead) then(socket);
    });
  });
}

const hangUp = (socket: Socket) => void socket.destroy();
const reset = (socket: Socket) => void socket.resetAndDestroy();
const fallSilent = (socket: Socket) => void socket.pause();
const beginToAnswer = (socket: Socket) => {
  socket.pause();
  socket.write('HTTP/1.1 102 Processing\r\n\r\n', () => setTimeout(() => socket.destroy(), 100));
};
const sendFin = (socket: Socket) => {
  socket.pause();
  socket.end();
};

describe.each(['directly', 'by a proxy'])('a request that goes %s', (way) => {
  const outcome = async (
    service: Awaited<ReturnType<typeof serveRaw>>,
    body: readonly BodyPiece[],
  ) => {
    const proxy = await startProxy({ [`127.0.0.1:${service.port}`]: service.port });
    const http = openTestHttp(service.origin, {
      proxy: way === 'directly' ? null : proxy.url,
      firstByteMs: 1_000,
    });
    const request = { method: 'POST', url: new URL(service.origin), body } as const;
    return await thrownBy(http.send(request, noSignal));
  };

  test.each([
    ['hangs up', 'cut', hangUp],
    ['resets the connection', 'cut', reset],
    ['says that it will send nothing', 'cut', sendFin],
  ])('never came whole to a service that %s within it', async (_, problem, then) => {
    const service = await served(100_000, then);
    expect(await outcome(service, large)).toMatchObject({ problem, isUnsent: true });
  });

  test.each([
    ['hangs up', 'cut', hangUp],
    ['resets the connection', 'cut', reset],
    ['falls silent', 'slow', fallSilent],
  ])('may have come whole to a service that %s behind it', async (_, problem, then) => {
    const whole = await served(bytes + 12, then);
    expect(await outcome(whole, large)).toMatchObject({ problem, isUnsent: false });
    const soon = await served(1, then);
    expect(await outcome(soon, small)).toMatchObject({ problem, isUnsent: false });
  });
});

describe('a request that goes directly', () => {
  const send = async (then: (socket: Socket) => void) => {
    const service = await served(100_000, then);
    const http = openTestHttp(service.origin, { firstByteMs: 1_000 });
    const request = { method: 'POST', url: new URL(service.origin), body: large } as const;
    return await thrownBy(http.send(request, noSignal));
  };

  test('never came whole to a service that reads no further', async () => {
    expect(await send(fallSilent)).toMatchObject({ problem: 'slow', isUnsent: true });
  });

  test('is taken to have come to a service that said something', async () => {
    expect(await send(beginToAnswer)).toMatchObject({ problem: 'cut', isUnsent: false });
  });
});
