import { expect, test } from 'vitest';
import { cleanRecoveryCode, hashRecoveryCode, makeRecoveryCode } from './recovery-code.ts';

test('a code has 80 random bits in letters that are told apart', () => {
  const codes = Array.from({ length: 200 }, makeRecoveryCode);
  for (const code of codes)
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(new Set(codes).size).toBe(codes.length);
});

test.each([
  ['7h2k-09xq-m4t1-dz8p', '7h2k09xqm4t1dz8p'],
  [' 7H2K 09XQ M4T1 DZ8P ', '7h2k09xqm4t1dz8p'],
  ['7h2k09xqm4t1dz8p', '7h2k09xqm4t1dz8p'],
  ['7h2k\u20130 9xq\u2011M4Tl\u2011dz8p\u00ad', '7h2k09xqm4t1dz8p'],
  ['7h2k-o9xq-m4ti-dz8p', '7h2k09xqm4t1dz8p'],
  ['\uff17\uff48\uff12\uff4b\uff0d09xq-m4t1-dz8p', '7h2k09xqm4t1dz8p'],
  ['123456', null],
  ['7h2k-09xq-m4t1-dz8', null],
  ['', null],
])('%j is read as %s', (typed, code) => {
  expect(cleanRecoveryCode(typed)).toBe(code);
});

test('the same code is stored differently for another user', () => {
  const code = makeRecoveryCode();
  expect(hashRecoveryCode(code, 'usr_1')).toBe(hashRecoveryCode(code.toUpperCase(), 'usr_1'));
  expect(hashRecoveryCode(code, 'usr_1')).not.toBe(hashRecoveryCode(code, 'usr_2'));
});
