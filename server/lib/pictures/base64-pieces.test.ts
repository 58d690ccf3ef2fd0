import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinedBody } from '../../../test/support/callers/joined-body.ts';
import { makingBytesMin } from '../bytes/body-pieces.ts';
import { Base64Piece } from './base64-pieces.ts';

const piece = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const pieces = fc.array(piece, { maxLength: 12 });

test('bytes in pieces have the base64 of the whole', () => {
  const memories = fc.integer({ min: makingBytesMin, max: 100 });
  fc.assert(
    fc.property(pieces, memories, (bytes, memoryBytes) => {
      const base64 = new Base64Piece(bytes);
      const make = base64.start();
      const memory = Buffer.alloc(memoryBytes);
      let text = '';
      for (let made = make(memory); made > 0; made = make(memory)) {
        text += memory.toString('latin1', 0, made);
      }
      expect(text).toBe(Buffer.concat(bytes).toString('base64'));
      expect(base64.length).toBe(text.length);
    }),
    { numRuns: 1000 },
  );
});

test('begins again each time', () => {
  const base64 = new Base64Piece([Buffer.from('pic'), Buffer.from('ture')]);
  expect(joinedBody([base64, base64]).toString()).toBe('cGljdHVyZQ==cGljdHVyZQ==');
});
