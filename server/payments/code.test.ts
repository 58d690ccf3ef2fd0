import { describe, expect, it, test } from 'vitest';
import { cleanCode, hashCode, makeCode, parseCodeNote, stateOfCode } from './code.ts';

describe('a code', () => {
  it('has the word of the installation and 24 digits that are told apart', () => {
    expect(makeCode('tin')).toMatch(/^TIN(-[0-9A-HJKMNP-TV-Z]{4}){6}$/);
  });

  it('has 100 random bits: each digit of them takes every value', () => {
    const codes = Array.from({ length: 2_000 }, () => makeCode('tin').replaceAll('-', '').slice(3));
    for (let place = 0; place < 20; place++) {
      expect(new Set(codes.map((code) => code[place])).size).toBe(32);
    }
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('is read however it is typed', () => {
    const code = makeCode('a1');
    const typings = [
      code.toLowerCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' ')}\n`,
      code.replaceAll('-', '\u2013'),
      code.replaceAll('-', '\u2011'),
      code.replaceAll('-', '\u2212'),
      `\ufeff${code.replaceAll('-', '-\u200b')}\u00ad`,
      code.replace(/[!-~]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
      `A1${code.slice(2).replaceAll('0', 'o').replaceAll('1', 'l')}`,
    ];
    for (const typed of typings) expect(cleanCode(typed)).toBe(code);
  });

  it('is told from one with a digit changed, for nearly every change', () => {
    const code = makeCode('tin');
    let accepted = 0;
    for (let place = 4; place < code.length; place++) {
      if (code[place] === '-') continue;
      for (const digit of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
        if (digit === code[place]) continue;
        if (cleanCode(code.slice(0, place) + digit + code.slice(place + 1)) !== null) accepted++;
      }
    }
    // A checksum of 20 bits lets about one in a million through.
    expect(accepted).toBe(0);
  });

  it('with another word is another code', () => {
    const code = makeCode('tin');
    expect(cleanCode(code.replace('TIN', 'TON'))).toBeNull();
  });

  test.each([
    '',
    'TIN',
    '-',
    'TIN-',
    '0'.repeat(100),
    'TIN-ÄÖÜ0-0000-0000-0000-0000-0000',
    '🂡'.repeat(24),
  ])('%j is none', (text) => {
    expect(cleanCode(text)).toBeNull();
  });

  it('has a hash that is not the code', () => {
    const code = makeCode('tin');
    expect(hashCode(code)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashCode(code)).not.toBe(hashCode(makeCode('tin')));
  });
});

test.each([
  [{}, 'open'],
  [{ expiresAt: 1_001 }, 'open'],
  [{ expiresAt: 1_000 }, 'expired'],
  [{ expiresAt: 1_000, withdrawnAt: 1 }, 'withdrawn'],
  [{ expiresAt: 1_000, redeemedAt: 1 }, 'redeemed'],
])('a code with %j is %s', (changes, state) => {
  const code = { expiresAt: null, withdrawnAt: null, redeemedAt: null, ...changes };
  expect(stateOfCode(code, 1_000)).toBe(state);
});

test('a note is printable and short', () => {
  expect(parseCodeNote(' fair ')).toBe('fair');
  expect(parseCodeNote('  ')).toBeNull();
  expect(parseCodeNote('x'.repeat(200))).toHaveLength(200);
  expect(() => parseCodeNote('x'.repeat(201))).toThrow('at most 200');
  expect(() => parseCodeNote('a\u0007')).toThrow('printable');
});
