import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64Block, encodeBase64 } from './base64.ts';
import { lookThroughBase64 } from './base64-bytes.ts';

const block = base64Block.bytes;
const lengths = [0, 1, 2, 3, block - 1, block, block + 1, 3 * block + 2];

describe('looking through what a text stands for', () => {
  test.each(lengths)('tells the length of %i bytes, and shows them all', (length) => {
    const bytes = randomBytes(length);
    lookThroughBase64(encodeBase64(bytes), (seen) => {
      expect(seen.length).toBe(length);
      expect(seen.slice(0, length).equals(bytes)).toBe(true);
      expect(seen.crc32(0, length)).toBe(crc32(bytes));
      return null;
    });
    expect.assertions(3);
  });

  test('shows any part, in any order', () => {
    const bytes = randomBytes(3 * block + 2);
    const ascii = encodeBase64(bytes);
    const place = fc.oneof(
      fc.nat(bytes.length),
      fc.constantFrom(...lengths.filter((length) => length <= bytes.length)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 5 }), (parts) => {
        const isRight = lookThroughBase64(ascii, (seen) =>
          parts.every(([one, other]) => {
            const [from, to] = one < other ? [one, other] : [other, one];
            const part = bytes.subarray(from, to);
            return seen.slice(from, to).equals(part) && seen.crc32(from, to) === crc32(part);
          }),
        );
        expect(isRight).toBe(true);
      }),
    );
  });

  test('shows as much as there is', () => {
    const ascii = encodeBase64(Buffer.from('abc'));
    expect(lookThroughBase64(ascii, (seen) => seen.slice(1, 8).toString())).toBe('bc');
    expect(lookThroughBase64(ascii, (seen) => seen.slice(3, 8).length)).toBe(0);
  });

  test('does not change what it has shown', () => {
    const bytes = randomBytes(2 * block);
    const first = lookThroughBase64(encodeBase64(bytes), (seen) => {
      const shown = seen.slice(0, 8);
      seen.crc32(block, 2 * block);
      return shown;
    });
    expect(first?.equals(bytes.subarray(0, 8))).toBe(true);
  });

  test('finds one wrong character anywhere that is looked at', () => {
    const ascii = encodeBase64(randomBytes(2 * block + 10));
    const { characters } = base64Block;
    for (const at of [0, 1, characters - 1, characters, 2 * characters, ascii.length - 1]) {
      for (const wrong of [' ', '-', '=']) {
        const broken = Buffer.from(ascii);
        broken.write(wrong, at);
        if (broken.equals(ascii)) continue;
        const look = () => lookThroughBase64(broken, (seen) => seen.crc32(0, seen.length));
        expect(look(), `${wrong} at ${at}`).toBeNull();
      }
    }
  });

  test('goes on to find it when it was found before', () => {
    const ascii = encodeBase64(randomBytes(block));
    ascii.write(' ', 5);
    const shown = lookThroughBase64(ascii, (seen) => {
      expect(() => seen.slice(0, 1)).toThrow('not base64');
      return seen.slice(0, 1);
    });
    expect(shown).toBeNull();
  });

  test('refuses padding between two blocks', () => {
    const ascii = Buffer.concat([
      encodeBase64(randomBytes(block - 1)),
      encodeBase64(randomBytes(3)),
    ]);
    expect(lookThroughBase64(ascii, (seen) => seen.crc32(0, seen.length))).toBeNull();
  });

  test('shows nothing of what cannot be base64', () => {
    const look = (): never => {
      throw new Error('it was shown');
    };
    for (const text of ['QQ', 'QR==', '===='])
      expect(lookThroughBase64(Buffer.from(text), look)).toBeNull();
  });

  test('leaves the error of whoever looks as it is', () => {
    const look = () => {
      throw new Error('of whoever looks');
    };
    expect(() => lookThroughBase64(Buffer.from('QUJD'), look)).toThrow('of whoever looks');
  });
});
