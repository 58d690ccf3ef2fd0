import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashSecret, isWellFormed, lastFourOf, makeSecret } from './key-secret.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a new key', () => {
  it.each(['tin', 'a', 'acme9', '0123456789abcdef'])(
    'has the form, with the prefix %s',
    (prefix) => {
      const secret = makeSecret(prefix);
      expect(secret).toMatch(new RegExp(`^sk-${prefix}-[0-9A-Za-z]{49}$`));
      expect(isWellFormed(secret)).toBe(true);
    },
  );

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => makeSecret('tin'))).size).toBe(1_000);
  });

  it('uses every digit at every random place', () => {
    const keys = Array.from({ length: 3_000 }, () => makeSecret('tin').slice(7, 50));
    for (let place = 0; place < 43; place++) {
      // 62 to the 43rd is a little over 2 to the 256th: the first place never reaches the last digits.
      const seen = new Set(keys.map((key) => key[place])).size;
      expect(seen).toBeGreaterThanOrEqual(place === 0 ? 55 : 62);
    }
  });
});

describe('a key from elsewhere', () => {
  // Computed apart from this code: CRC-32 of all before the last six characters, in base 62.
  it.each([
    `sk-tin-${'0'.repeat(43)}4OKGhC`,
    `sk-tin-${'z'.repeat(43)}2Zg4CV`,
    `sk-a-${digits.slice(0, 43)}0oWw8P`,
  ])('is well formed when its check digits are right: %s', (secret) => {
    expect(isWellFormed(secret)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['only a prefix', 'sk-tin-'],
    ['a key of another service', `sk-proj-${'A'.repeat(48)}`],
    ['a digit too few', makeSecret('tin').slice(0, -1)],
    ['a digit too many', `${makeSecret('tin')}0`],
    ['a blank behind it', `${makeSecret('tin')} `],
    ['a line end behind it', `${makeSecret('tin')}\n`],
    ['a sign among the digits', makeSecret('tin').replace(/.$/, '+')],
    ['a prefix in capitals', makeSecret('tin').replace('tin', 'TIN')],
    ['another prefix', makeSecret('tin').replace('tin', 'tan')],
  ])('is refused with %s', (_what, secret) => {
    expect(isWellFormed(secret)).toBe(false);
  });

  it('is refused with any one digit wrong', () => {
    const secret = makeSecret('tin');
    const places = fc.integer({ min: 'sk-tin-'.length, max: secret.length - 1 });
    fc.assert(
      fc.property(places, fc.constantFrom(...digits), (place, digit) => {
        fc.pre(secret[place] !== digit);
        expect(isWellFormed(secret.slice(0, place) + digit + secret.slice(place + 1))).toBe(false);
      }),
    );
  });
});

it('is stored as its SHA-256, and recognised by its last four characters', () => {
  const secret = makeSecret('tin');
  expect(hashSecret(secret)).toBe(createHash('sha256').update(secret).digest('hex'));
  expect(lastFourOf(secret)).toHaveLength(4);
  expect(secret.endsWith(lastFourOf(secret))).toBe(true);
});
