/** An HTTP answer byte by byte, so that every part of it can be wrong by itself. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FakeAnswer } from '../upstreams/contract-subject.ts';

export interface WireAnswer {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  /** How the end of the body is told. */
  framing: 'length' | 'chunked' | 'close';
  delivery: WireDelivery;
  /** Sent as it is, instead of all of the above. */
  raw?: Buffer;
}

export type WireDelivery =
  | { kind: 'whole' }
  /** Broken off after this share of the bytes. */
  | { kind: 'cut'; share: number; how: 'end' | 'reset' }
  /** Silence after this share, the connection open. */
  | { kind: 'stall'; share: number }
  /** In pieces of so many bytes, or a few more. */
  | { kind: 'drip'; bytes: number }
  /** The body begins, then the same filling comes again and again. */
  | { kind: 'endless'; filling: Buffer };

/** Beyond what any limit allows; who reads on to here has none. */
const endlessBytesMax = 320 * 1024 ** 2;

export function wireAnswerOf({ status, headers, body }: FakeAnswer): WireAnswer {
  return {
    status,
    headers: Object.entries(headers),
    body: Buffer.concat([...body]),
    framing: 'length',
    delivery: { kind: 'whole' },
  };
}

/** Larger answers come in larger pieces. */
const dripPiecesMax = 20_000;

/** The answer as it stands on the wire. */
export function renderAnswer({ status, headers, body, framing, raw }: WireAnswer): Buffer {
  if (raw) return raw;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `HTTP/1.1 ${status} Any\r\n${lines}`;
  switch (framing) {
    case 'length':
      return joined(head, `content-length: ${body.length}\r\n\r\n`, body);
    case 'chunked':
      return joined(head, 'transfer-encoding: chunked\r\n\r\n', chunked(body));
    case 'close':
      return joined(head, 'connection: close\r\n\r\n', body);
  }
}

export function chunked(body: Buffer): Buffer {
  if (body.length === 0) return Buffer.from('0\r\n\r\n');
  return joined(`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n');
}

function joined(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin(part) : part)));
}

function latin(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Sends it, and ends the connection where the answer does. */
export async function deliverAnswer(socket: Socket, answer: WireAnswer): Promise<void> {
  const { delivery } = answer;
  const bytes = renderAnswer(answer);
  const begun = (share: number) => bytes.subarray(0, Math.floor(bytes.length * share));
  switch (delivery.kind) {
    case 'whole':
      await write(socket, bytes);
      if (answer.framing === 'close' || answer.raw) socket.end();
      return;
    case 'cut':
      await write(socket, begun(delivery.share));
      if (delivery.how === 'reset') socket.resetAndDestroy();
      else socket.end();
      return;
    case 'stall':
      await write(socket, begun(delivery.share));
      return;
    case 'drip': {
      const step = Math.max(delivery.bytes, Math.ceil(bytes.length / dripPiecesMax));
      for (let at = 0; at < bytes.length && !socket.destroyed; at += step) {
        await write(socket, bytes.subarray(at, at + step));
        await nextTurn();
      }
      return;
    }
    case 'endless':
      await write(socket, renderAnswer({ ...answer, framing: 'close' }));
      for (let sent = 0; sent < endlessBytesMax && !socket.destroyed; ) {
        await write(socket, delivery.filling);
        sent += delivery.filling.length;
      }
      socket.destroy();
  }
}

/** Resolves when the bytes are handed over, or nobody takes them any more. */
async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || bytes.length === 0) return;
  const closed = new AbortController();
  const gone = once(socket, 'close', { signal: closed.signal }).catch(() => {});
  await Promise.race([new Promise<void>((done) => socket.write(bytes, () => done())), gone]);
  closed.abort();
}
