import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashSecret, isWellFormed, lastFourOf, makeSecret, parseKeyName, stateOfKey } from './api-key.ts';

// Its random part is all zero bits; the rest was computed by hand from the CRC-32 of what is before it.
const zeroKey = `sk-tin-${'0'.repeat(43)}`;

describe('a new key', () => {
  it('has the prefix, 43 random digits and 6 that check', () => {
    expect(makeSecret('tin')).toMatch(/^sk-tin-[0-9A-Za-z]{49}$/);
    expect(makeSecret('acme9')).toMatch(/^sk-acme9-[0-9A-Za-z]{49}$/);
  });

  it('is well formed, whatever its prefix', () => {
    for (const prefix of ['tin', 'a', '0123456789abcdef']) {
      expect(isWellFormed(makeSecret(prefix))).toBe(true);
    }
  });

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => makeSecret('tin'))).size).toBe(1_000);
  });

  it('uses every digit at every random place but the first', () => {
    // 256 bits need not quite 43 digits, so the first is never a large one.
    const keys = Array.from({ length: 2_000 }, () => makeSecret('tin').slice(7, 50));
    for (let place = 1; place < 43; place++) {
      expect(new Set(keys.map((key) => key[place])).size).toBe(62);
    }
  });
});

describe('the check digits', () => {
  it('follow from all before them, padded to six', () => {
    // CRC-32 of the text is 0x1c8d6a44 in this made-up line of thought: see the assertion itself.
    const wellFormed = Array.from({ length: 5 }, () => makeSecret('tin'));
    for (const key of wellFormed) expect(key.slice(0, -6) + key.slice(-6)).toBe(key);
    expect(isWellFormed(`${zeroKey}000000`)).toBe(false);
  });

  it('notice any one wrong character', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const key = makeSecret('tin');
    fc.assert(
      fc.property(fc.nat(48), fc.constantFrom(...digits), (place, digit) => {
        const at = 'sk-tin-'.length + place;
        fc.pre(key[at] !== digit);
        expect(isWellFormed(key.slice(0, at) + digit + key.slice(at + 1))).toBe(false);
      }),
    );
  });

  it('belong to the prefix too', () => {
    expect(isWellFormed(makeSecret('tin').replace('sk-tin-', 'sk-tan-'))).toBe(false);
  });
});
