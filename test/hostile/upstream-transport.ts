/** What goes wrong below HTTP, or with its framing. */
import { gzipSync } from 'node:zlib';
import {
  afterHead,
  delivered,
  gzipBomb,
  kib,
  patched,
  withHeaders,
  withRaw,
} from './answer-plans.ts';
import type { Plan } from './hostile-upstream.ts';
import { chunked, renderAnswer } from './wire-answer.ts';

/** Null where either is right: a picture for its price, or an error for nothing. */
export type Row = readonly [gives: 'picture' | 'error' | null, name: string, plan: Plan];

export const transport: readonly Row[] = [
  ['error', 'reset before a byte', delivered({ kind: 'cut', share: 0, how: 'reset' })],
  ['error', 'close before a byte', delivered({ kind: 'cut', share: 0, how: 'end' })],
  ['error', 'reset within the headers', delivered({ kind: 'cut', share: 0.004, how: 'reset' })],
  ['error', 'reset half way', delivered({ kind: 'cut', share: 0.5, how: 'reset' })],
  ['error', 'close half way', delivered({ kind: 'cut', share: 0.5, how: 'end' })],
  [
    'error',
    'close half way of chunks',
    delivered({ kind: 'cut', share: 0.5, how: 'end' }, 'chunked'),
  ],
  [
    'error',
    'close half way without a length',
    delivered({ kind: 'cut', share: 0.5, how: 'end' }, 'close'),
  ],
  ['error', 'silence from the start', delivered({ kind: 'stall', share: 0 })],
  ['error', 'silence within the headers', delivered({ kind: 'stall', share: 0.004 })],
  ['error', 'silence half way', delivered({ kind: 'stall', share: 0.5 })],
  ['error', 'silence before the last byte', delivered({ kind: 'stall', share: 0.9999 })],
  ['picture', 'drops of 7 bytes', delivered({ kind: 'drip', bytes: 7 })],
  ['picture', 'chunks', delivered({ kind: 'whole' }, 'chunked')],
  ['picture', 'a body that ends with the connection', delivered({ kind: 'whole' }, 'close')],
  ['error', 'garbage', withRaw(() => '\x16\x03\x01\x02\0garbage\r\n\r\n')],
  ['error', 'a greeting of SSH', withRaw(() => 'SSH-2.0-OpenSSH_9.9\r\n')],
  ['error', 'HTTP/0.9', withRaw(({ body }) => body)],
  ['error', 'a header of 256 KiB', withHeaders(['x-filling', 'b'.repeat(256 * kib)])],
  [
    'error',
    '5,000 headers',
    withHeaders(...Array.from({ length: 5_000 }, (_, n) => [`x-${n}`, 'b'.repeat(8)] as const)),
  ],
  [
    'picture',
    'an early hint first',
    patched(/^/, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  ],
  [null, 'a wish to go on first', patched(/^/, 'HTTP/1.1 100 Continue\r\n\r\n')],
  [null, '500 early hints first', patched(/^/, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500))],
  [
    'error',
    'another protocol',
    withRaw(() => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['error', 'a length that is too large', patched(/content-length: (\d+)/, 'content-length: 1$1')],
  ['error', 'a length that is too small', patched(/content-length: \d+/, 'content-length: 20')],
  ['error', 'a length that is negative', patched(/content-length: \d+/, 'content-length: -1')],
  [
    'error',
    'two lengths',
    patched(/content-length: (\d+)/, 'content-length: 5\r\ncontent-length: $1'),
  ],
  [
    null,
    'a length and chunks',
    patched(/content-length: (\d+)/, 'content-length: $1\r\ntransfer-encoding: chunked'),
  ],
  [
    'error',
    'a chunk of letters',
    (right) => ({ ...right, raw: afterHead(right, Buffer.from('zz\r\n{}\r\n0\r\n\r\n')) }),
  ],
  [
    'error',
    'chunks without an end',
    (right) => ({ ...right, raw: afterHead(right, chunked(right.body).subarray(0, -5)) }),
  ],
  ['error', 'a compression that is none', withHeaders(['content-encoding', 'gzip'])],
  ['error', 'a compression nobody knows', withHeaders(['content-encoding', 'x-unknown'])],
  [
    'picture',
    'a compression that was not asked for',
    (right) => ({
      ...right,
      headers: [...right.headers, ['content-encoding', 'gzip']],
      body: gzipSync(right.body),
    }),
  ],
  [
    'error',
    'a compression cut short',
    (right) => ({
      ...right,
      headers: [...right.headers, ['content-encoding', 'gzip']],
      body: gzipSync(right.body).subarray(0, -40),
    }),
  ],
  [
    'error',
    'a compression of 300 MiB',
    (right) => ({
      ...right,
      headers: [...right.headers, ['content-encoding', 'gzip']],
      body: gzipBomb(),
    }),
  ],
  [
    'error',
    'a body without end',
    delivered({ kind: 'endless', filling: Buffer.alloc(256 * kib, 'A') }),
  ],
  [
    'picture',
    'something behind the end',
    (right) => ({
      ...right,
      delivery: { kind: 'whole' },
      raw: Buffer.concat([renderAnswer(right), Buffer.from('HTTP/1.1 200 OK\r\n\r\n')]),
    }),
  ],
];
