import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Base64Piece } from '../pictures/base64-pieces.ts';
import {
  type BodyPiece,
  batchesOf,
  blocksOf,
  lengthOfBody,
  makingBytesFor,
} from './body-pieces.ts';

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const made = fc.array(bytes, { maxLength: 3 });
const pieces = fc.array(fc.oneof(bytes, made), { maxLength: 8 });
const bodies = pieces.map((all) => all.map(pieceOf));

function pieceOf(piece: Buffer | Buffer[]): BodyPiece {
  return Buffer.isBuffer(piece) ? piece : new Base64Piece(piece);
}

function written(piece: BodyPiece): Buffer {
  if (Buffer.isBuffer(piece)) return piece;
  return Buffer.concat([...blocksOf([piece], piece.length)]);
}

describe('a body in batches', () => {
  test('is the body, however little memory there is', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 16, max: 200 }), (body, memoryBytes) => {
        const memory = Buffer.alloc(memoryBytes);
        const out: Buffer[] = [];
        for (const batch of batchesOf(body, memory)) {
          for (const view of batch) out.push(Buffer.from(view));
          // Whoever asks for the next one has written this one out.
          memory.fill(0);
        }
        const whole = Buffer.concat(out);
        expect(whole.equals(Buffer.concat(body.map(written)))).toBe(true);
        expect(whole.length).toBe(lengthOfBody(body));
      }),
    );
  });

  test('needs memory for what is made only, and no more than for that', () => {
    expect(makingBytesFor([Buffer.alloc(1_000_000)])).toBe(0);
    const small = new Base64Piece([Buffer.alloc(300)]);
    expect(makingBytesFor([small])).toBeLessThan(500);
    const large = new Base64Piece([Buffer.alloc(100_000_000)]);
    expect(makingBytesFor([large, large])).toBe(128 * 1024);
  });

  test('never has more than 256 KiB in one', () => {
    const body = [Buffer.alloc(3_000_001), new Base64Piece([Buffer.alloc(1_000_000)])];
    const sizes: number[] = [];
    for (const batch of batchesOf(body, Buffer.alloc(makingBytesFor(body)))) {
      sizes.push(lengthOfBody(batch));
    }
    expect(Math.max(...sizes)).toBe(256 * 1024);
  });
});

test('a body in blocks is the body, in memory that stays as it is', () => {
  fc.assert(
    fc.property(bodies, fc.integer({ min: 16, max: 200 }), (body, bytesMax) => {
      const whole = Buffer.concat(body.map(written));
      const blocks = [...blocksOf(body, bytesMax)];
      for (const piece of body) if (Buffer.isBuffer(piece)) piece.fill(0);
      expect(Buffer.concat(blocks).equals(whole)).toBe(true);
      expect(Math.max(0, ...blocks.map(({ length }) => length))).toBeLessThanOrEqual(bytesMax);
    }),
  );
});
