import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBase64Pieces } from './base64-pieces.ts';

test('bytes in pieces have the base64 of the whole', () => {
  const piece = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = Buffer.concat(encodeBase64Pieces(pieces)).toString('latin1');
      expect(text).toBe(Buffer.concat(pieces).toString('base64'));
    }),
    { numRuns: 1000 },
  );
});
