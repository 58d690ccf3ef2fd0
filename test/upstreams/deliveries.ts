/** The ways in which a fake service's answer goes out: whole, cut, slow, without end. */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { FakeAnswer } from './contract-subject.ts';

export type Delivery = (response: ServerResponse, answer: FakeAnswer) => void | Promise<void>;

/** Piece by piece, as the protocol cut it. */
export async function whole(response: ServerResponse, answer: FakeAnswer): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  for (const piece of answer.body) await written(response, piece);
  response.end();
}

export function gzipped(response: ServerResponse, answer: FakeAnswer): void {
  const { 'content-length': _length, ...headers } = answer.headers;
  const bytes = gzipSync(Buffer.concat(answer.body));
  response.writeHead(answer.status, { ...headers, 'content-encoding': 'gzip' }).end(bytes);
}

/** Says that it is compressed, and is not. */
export function falselyGzipped(response: ServerResponse, answer: FakeAnswer): void {
  const { 'content-length': _length, ...headers } = answer.headers;
  response.writeHead(answer.status, { ...headers, 'content-encoding': 'gzip' });
  response.end(Buffer.concat(answer.body));
}

/** Never answers. */
export function silence(): void {}

/** Half of the answer, then nothing. */
export async function heldHalfway(response: ServerResponse, answer: FakeAnswer): Promise<void> {
  const body = Buffer.concat(answer.body);
  response.writeHead(answer.status, answer.headers);
  await written(response, body.subarray(0, body.length / 2));
}

/** The first piece alone, then nothing. */
export async function heldAfterFirstPiece(
  response: ServerResponse,
  answer: FakeAnswer,
): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  await written(response, answer.body[0] ?? Buffer.alloc(0));
}

/** One byte after the other. */
export async function dripped(response: ServerResponse, answer: FakeAnswer): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  for (const byte of Buffer.concat(answer.body)) await written(response, Buffer.of(byte));
  response.end();
}

export type CutKind = 'ended' | 'reset';

/** So much of the answer as it stands on the wire, headers included; then the connection goes. */
export function cutAt(share: number, kind: CutKind): Delivery {
  return async ({ socket }, answer) => {
    if (!socket) throw new Error('an answer that is not begun has its connection');
    const wire = onTheWire(answer);
    const begun = wire.subarray(0, Math.floor(wire.length * share));
    if (begun.length > 0) await new Promise((resolve) => socket.write(begun, resolve));
    if (kind === 'reset') socket.resetAndDestroy();
    else socket.end();
  };
}

function onTheWire({ status, headers, body }: FakeAnswer): Buffer {
  const { 'content-length': _length, ...others } = headers;
  const lines = Object.entries({ ...others, 'transfer-encoding': 'chunked' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const chunks = body
    .filter(({ length }) => length > 0)
    .flatMap((piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n']);
  const parts = [`HTTP/1.1 ${status} Any\r\n${lines}\r\n`, ...chunks, '0\r\n\r\n'];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** Beyond what any limit allows; who reads on to here has none. */
const floodBytesMax = 320 * 1024 ** 2;

/** The beginning of the answer, then the same filling again and again. */
export function endless(filling: Buffer, begin: (body: Buffer) => Buffer): Delivery {
  return async (response, answer) => {
    const { 'content-length': _length, ...headers } = answer.headers;
    response.writeHead(answer.status, headers);
    await written(response, begin(Buffer.concat(answer.body)));
    for (let sent = 0; sent < floodBytesMax && !response.destroyed; sent += filling.length) {
      if (response.write(filling)) continue;
      await drainedOrClosed(response);
    }
    response.destroy();
  };
}

async function drainedOrClosed(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.on('drain', resolve).on('close', resolve);
  if (response.destroyed) resolve();
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

/** Resolves when the piece is handed over, so that the next one is a piece of its own. */
async function written(response: ServerResponse, piece: Buffer): Promise<void> {
  await new Promise((resolve) => response.write(piece, resolve));
  await nextTurn();
}
