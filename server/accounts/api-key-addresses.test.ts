import { describe, expect, it } from 'vitest';
import { keyLimits, mayBeUsedFrom, parseKeyAddresses } from './api-key.ts';

describe('the addresses of a key', () => {
  it.each([
    [null, null],
    [[], null],
    [['10.1.2.3'], ['10.1.2.3']],
    [
      ['10.1.2.3/8', '10.0.0.0/8', '::ffff:10.1.2.3'],
      ['10.0.0.0/8', '10.1.2.3'],
    ],
  ])('%j are kept as %j', (texts, expected) => {
    expect(parseKeyAddresses(texts)).toEqual(expected);
  });

  it.each(['', 'home', '10.0.0.0/33', '10.0.0.1 10.0.0.2'])('refuse %j', (text) => {
    expect(() => parseKeyAddresses([text])).toThrow('Each address is an IP address');
  });

  it(`are ${keyLimits.addressesMax} at most`, () => {
    const many = Array.from({ length: keyLimits.addressesMax }, (_, n) => `10.0.0.${n}`);
    expect(parseKeyAddresses(many)).toHaveLength(keyLimits.addressesMax);
    expect(() => parseKeyAddresses([...many, '10.0.1.1'])).toThrow('At most 50 addresses');
  });

  it.each<[readonly string[] | null, string | null, boolean]>([
    [null, '10.1.2.3', true],
    [null, null, true],
    [['10.0.0.0/8'], '10.1.2.3', true],
    [['10.0.0.0/8'], '11.1.2.3', false],
    [['10.0.0.0/8'], null, false],
  ])('%j let %j pass: %s', (addresses, address, expected) => {
    expect(mayBeUsedFrom({ addresses }, () => address)).toBe(expected);
  });
});
