import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeptBytes } from './kept-bytes.ts';

/** Pieces on both sides of the size from which they are kept as they are. */
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom('', '\r', '\n--b', '\r\n--', 'b', 'ab\r\n--b').map((text) => Buffer.from(text)),
    fc.integer({ min: 1, max: 9_000 }).map((length) => Buffer.alloc(length, 'ab\r\n--')),
  ),
  { maxLength: 12 },
);
const share = fc.double({ min: 0, max: 1, noNaN: true });

function kept(given: readonly Buffer[]): { bytes: KeptBytes; plain: Buffer } {
  const bytes = new KeptBytes();
  for (const piece of given) bytes.add(Buffer.from(piece));
  return { bytes, plain: Buffer.concat(given) };
}

describe('kept bytes', () => {
  test('are what one buffer of them would be', () => {
    fc.assert(
      fc.property(pieces, share, share, (given, a, b) => {
        const { bytes, plain } = kept(given);
        const [from = 0, to = 0] = [a, b]
          .map((one) => Math.floor(one * plain.length))
          .toSorted((one, other) => one - other);
        expect(bytes.length).toBe(plain.length);
        expect(bytes.slice(from, to).equals(plain.subarray(from, to))).toBe(true);
        expect(bytes.byteAt(from)).toBe(plain[from]);
        expect(bytes.crc32(from, to)).toBe(crc32(plain.subarray(from, to)));
        const part = bytes.part(from, to);
        expect(part.length).toBe(to - from);
        expect(Buffer.concat(part.pieces).equals(plain.subarray(from, to))).toBe(true);
        expect(part.whole().equals(plain.subarray(from, to))).toBe(true);
        expect(part.pieces).toHaveLength(1);
        for (const wanted of ['\r\n--b', 'b', 'ab\r\n--bab', 'nowhere'].map((one) =>
          Buffer.from(one),
        )) {
          expect(bytes.indexOf(wanted, from)).toBe(plain.indexOf(wanted, from));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('are not copied where their pieces are large', () => {
    const piece = Buffer.alloc(4_096, 1);
    const { bytes } = { bytes: new KeptBytes() };
    bytes.add(piece);
    bytes.add(piece);
    expect(bytes.pieces).toHaveLength(2);
    expect(bytes.pieces[0]).toBe(piece);
  });

  test('take little more memory than their bytes, however small and large ones alternate', () => {
    const bytes = new KeptBytes();
    for (let count = 0; count < 1_000; count++) {
      bytes.add(Buffer.alloc(4_096, 1));
      bytes.add(Buffer.alloc(1, 2));
    }
    const memory = new Set(bytes.pieces.map(({ buffer }) => buffer));
    const taken = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(bytes.length).toBe(4_097_000);
    expect(taken).toBeLessThan(2 * bytes.length);
    expect(bytes.pieces.map(({ length }) => length)).toEqual(
      Array.from({ length: 1_000 }, () => [4_096, 1]).flat(),
    );
  });

  test('stay in the list of who has it when they are joined', () => {
    const bytes = KeptBytes.of(Buffer.from('a picture '), Buffer.from('in pieces'));
    const { pieces } = bytes;
    expect(bytes.whole().toString()).toBe('a picture in pieces');
    expect([pieces.length, bytes.pieces.length]).toEqual([2, 1]);
  });

  test('are gone when they are freed, but for what shares its memory', () => {
    const own = Buffer.allocUnsafeSlow(4_096).fill(1);
    const view = Buffer.allocUnsafeSlow(8_192).fill(2).subarray(0, 4_096);
    const bytes = new KeptBytes();
    for (const piece of [own, view, Buffer.from([3])]) bytes.add(piece);
    const part = bytes.part(4_000, 4_200);
    bytes.free();
    expect([bytes.length, bytes.pieces]).toEqual([0, []]);
    expect(own.length).toBe(0);
    expect(view.every((byte) => byte === 2)).toBe(true);
    expect(part.pieces.map(({ length }) => length)).toEqual([0, 104]);
  });

  test('that come one by one are a piece for each 64 KiB', () => {
    const bytes = new KeptBytes();
    for (let count = 0; count < 65_537; count++) bytes.add(Buffer.from([count % 256]));
    expect(bytes.pieces.map(({ length }) => length)).toEqual([65_536, 1]);
  });
});
