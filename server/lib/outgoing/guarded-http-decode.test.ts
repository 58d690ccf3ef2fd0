import {
  brotliCompressSync,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import { bytesOf, noSignal, openTestHttp, serve } from '../../../test/support/services/outgoing.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { PieceReader } from './outgoing-body.ts';

const text = Buffer.from('{"data":[{"b64_json":"aaaa"}]}'.repeat(10_000));

const compressed: [string, Buffer][] = [
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['GZip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
];

const waysOut: [string, (answer: OutgoingAnswer) => unknown][] = [
  ['discarded', (answer) => answer.discard()],
  ['by its reader', ({ body }) => new PieceReader(body).leave()],
  ['by its iterator', ({ body }) => body[Symbol.asyncIterator]().return?.()],
];

describe('an answer in an encoding that was not asked for', () => {
  test.each(compressed)('is decoded (%s)', async (encoding, bytes) => {
    expect((await bytesOf(await answerWith(encoding, bytes))).equals(text)).toBe(true);
  });

  test.each(['identity', ''])('is left alone when it is none (%j)', async (encoding) => {
    expect((await bytesOf(await answerWith(encoding, text))).equals(text)).toBe(true);
  });

  test.each(compressed)('is empty when it has no bytes (%s)', async (encoding) => {
    expect(await bytesOf(await answerWith(encoding, Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  });

  test.each(compressed)('is refused where its end is missing (%s)', async (encoding, bytes) => {
    for (const kept of [1, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const answer = await answerWith(encoding, bytes.subarray(0, kept));
      await expect(bytesOf(answer), `${kept} bytes`).rejects.toMatchObject({ problem: 'encoding' });
    }
  });

  test.each(['gzip', 'deflate', 'br'])(
    'is refused where it is something else (%s)',
    async (name) => {
      const answer = await answerWith(name, Buffer.from('<html>sorry</html>'));
      await expect(bytesOf(answer)).rejects.toMatchObject({ problem: 'encoding' });
    },
  );

  test.each([
    ['zstd', zstdCompressSync(text)],
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['nonsense', text],
  ])('is refused where we know it not (%s), though its status is read', async (name, bytes) => {
    const answer = await answerWith(name, bytes);
    expect(answer.status).toBe(200);
    await expect(bytesOf(answer)).rejects.toMatchObject({ problem: 'encoding' });
  });

  test('is cut, not broken, when the connection ends', async () => {
    const bytes = gzipSync(text);
    const service = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.length });
      response.write(bytes.subarray(0, 100), () => response.destroy());
    });
    const http = openTestHttp(service.origin);
    const answer = await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal);
    await expect(bytesOf(answer)).rejects.toMatchObject({ problem: 'cut' });
  });

  test('is slow, not broken, when it falls silent', async () => {
    const service = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(gzipSync(text).subarray(0, 100));
    });
    const http = openTestHttp(service.origin, { idleMs: 100 });
    const answer = await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal);
    await expect(bytesOf(answer)).rejects.toMatchObject({ problem: 'slow' });
  });

  test('comes in pieces, and may be left', async () => {
    const service = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write('first');
      gzip.flush();
    });
    const http = openTestHttp(service.origin);
    const answer = await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal);
    for await (const piece of answer.body) {
      expect(piece.toString()).toBe('first');
      break;
    }
    await expect.poll(service.open, patience).toBe(0);
  });

  test.each(waysOut)('may be left before anything of it was read: %s', async (_name, leave) => {
    // An ordinary request, and a form, which goes another way.
    for (const body of ['', new FormData()]) {
      const service = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(text));
      });
      const http = openTestHttp(service.origin);
      const request = { method: 'POST', url: new URL(service.origin), body } as const;
      await leave(await http.send(request, noSignal));
      await expect.poll(service.open, patience).toBe(0);
    }
  });
});

async function answerWith(encoding: string, bytes: Buffer): Promise<OutgoingAnswer> {
  const service = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
  });
  const http = openTestHttp(service.origin);
  return await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal);
}
