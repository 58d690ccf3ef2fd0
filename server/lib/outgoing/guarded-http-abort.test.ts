import { describe, expect, test } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import {
  type Answerer,
  bytesOf,
  noSignal,
  openTestHttp,
  serve,
  serveRaw,
} from '../../../test/support/services/outgoing.ts';
import { connectTimeoutMs } from './guarded-address.ts';

const echo: Answerer = ({ body }, response) => response.end(body);

describe('when the caller aborts', () => {
  const reason = new Error('the caller is gone');

  test('before anything, nothing is connected', async () => {
    const service = await serve(echo);
    const http = openTestHttp(service.origin);
    const request = { method: 'GET', url: new URL(service.origin) } as const;
    await expect(http.send(request, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(service.connections()).toBe(0);
  });

  // In half the time after which the connection would be given up.
  const soon = { timeout: connectTimeoutMs / 2 };

  test('while the connection opens, it need not be awaited, and closes', soon, async () => {
    // It accepts, and never says a word of TLS.
    const service = await serveRaw((socket) => {
      socket.resume();
      controller.abort(reason);
    });
    const controller = new AbortController();
    const origin = `https://127.0.0.1:${service.port}`;
    const http = openTestHttp(origin);
    const sent = http.send({ method: 'GET', url: new URL(origin) }, controller.signal);
    await expect(sent).rejects.toBe(reason);
    await expect.poll(service.open, patience).toBe(0);
  });

  test('before the first byte, the connection closes', async () => {
    const service = await serve(() => controller.abort(reason));
    const controller = new AbortController();
    const http = openTestHttp(service.origin);
    const request = { method: 'POST', url: new URL(service.origin), body: 'x' } as const;
    await expect(http.send(request, controller.signal)).rejects.toBe(reason);
    await expect.poll(service.open, patience).toBe(0);
  });

  test('within the request, the connection closes', async () => {
    const service = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.pause();
        controller.abort(reason);
        // Paused, it would not notice the end.
        socket.resume();
      });
    });
    const controller = new AbortController();
    const http = openTestHttp(service.origin);
    const body = Buffer.alloc(30_000_000);
    const request = { method: 'POST', url: new URL(service.origin), body } as const;
    await expect(http.send(request, controller.signal)).rejects.toBe(reason);
    await expect.poll(service.open, patience).toBe(0);
  });

  test.each(['identity', 'gzip'])(
    'within the answer (%s), reading ends and the connection closes',
    async (encoding) => {
      const service = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).write('\x1f\x8b\x08\x00');
      });
      const controller = new AbortController();
      const http = openTestHttp(service.origin);
      const request = { method: 'GET', url: new URL(service.origin) } as const;
      const answer = await http.send(request, controller.signal);
      const read = bytesOf(answer);
      controller.abort(reason);
      await expect(read).rejects.toBe(reason);
      await expect.poll(service.open, patience).toBe(0);
    },
  );

  test('after the answer was read, nothing happens', async () => {
    const service = await serve(echo);
    const controller = new AbortController();
    const http = openTestHttp(service.origin);
    const request = { method: 'GET', url: new URL(service.origin) } as const;
    await bytesOf(await http.send(request, controller.signal));
    controller.abort(reason);
    for (let times = 0; times < 3; times++) await bytesOf(await http.send(request, noSignal));
    expect(service.connections()).toBeLessThanOrEqual(2);
  });
});
