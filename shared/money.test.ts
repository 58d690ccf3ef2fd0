import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AmountRangeError,
  addAmounts,
  amountFromMicros,
  amountMax,
  boundPassed,
  formatAmount,
  multiplyAmount,
  negateAmount,
  parseAmount,
  subtractAmounts,
  sumAmounts,
  zero,
} from './money.ts';

const anyAmount = fc.maxSafeInteger().map(amountFromMicros);
/** Small enough that two of them added, or one multiplied by n ≤ 10, stay within the limits. */
const modestAmount = fc.integer().map(amountFromMicros);

describe('reading a decimal', () => {
  it.each([
    ['0', 0],
    ['0.00', 0],
    ['-0', 0],
    ['1', 1_000_000],
    ['0.04', 40_000],
    ['0.000001', 1],
    ['-0.000001', -1],
    ['12.5', 12_500_000],
    ['-3.5', -3_500_000],
    ['0012.50', 12_500_000],
    [' 7 ', 7_000_000],
    // What floats get wrong.
    ['0.1', 100_000],
    ['1.1', 1_100_000],
    ['4.35', 4_350_000],
    ['1.005', 1_005_000],
    ['8192.000001', 8_192_000_001],
    ['9007199254.740991', amountMax],
    ['-9007199254.740991', -amountMax],
  ])('takes %j as %d micros', (text, micros) => {
    expect(parseAmount(text)).toBe(micros);
  });

  it.each([
    ['', 'nothing'],
    ['.', 'no digits'],
    ['.5', 'no units'],
    ['5.', 'no decimals after the point'],
    ['0.0000001', 'seven decimals'],
    ['0.0400000', 'seven decimals, though the last is 0'],
    ['9007199254.740992', 'one micro beyond the limit'],
    ['-9007199254.740992', 'one micro beyond the limit below'],
    ['99999999999', 'eleven digits'],
    ['1e3', 'an exponent'],
    ['0x10', 'hexadecimal'],
    ['1,5', 'a comma'],
    ['1 000', 'a space inside'],
    ['+1', 'a plus sign'],
    ['--1', 'two signs'],
    ['1.2.3', 'two points'],
    ['١٢', 'digits of another script'],
    ['NaN', 'a word'],
    ['Infinity', 'a word'],
    ['1\n2', 'two lines'],
  ])('refuses %j: %s', (text) => {
    expect(parseAmount(text)).toBeNull();
  });

  it.each([
    ['9007199254.740991', null],
    ['9007199254.740992', 'at most 9007199254.740991'],
    ['99999999999', 'at most 9007199254.740991'],
    [' 1000000000000000000000.5 ', 'at most 9007199254.740991'],
    ['-9007199254.740992', 'at least -9007199254.740991'],
    ['-99999999999', 'at least -9007199254.740991'],
    ['99999999999.0000001', null],
    ['1e30', null],
    ['', null],
  ])('knows which bound %j is beyond: %j', (text, bound) => {
    expect(boundPassed(text)).toBe(bound);
  });

  it('never answers minus zero, which would print a sign', () => {
    expect(Object.is(parseAmount('-0.00'), 0)).toBe(true);
  });
});

describe('writing an amount', () => {
  it.each([
    [0, '0.00'],
    [1, '0.000001'],
    [-1, '-0.000001'],
    [40_000, '0.04'],
    [100_000, '0.10'],
    [1_000_000, '1.00'],
    [12_345_678, '12.345678'],
    [12_340_000, '12.34'],
    [12_345_000, '12.345'],
    [-3_500_000, '-3.50'],
    [amountMax, '9007199254.740991'],
    [-amountMax, '-9007199254.740991'],
  ])('shows %d micros as %j', (micros, text) => {
    expect(formatAmount(amountFromMicros(micros))).toBe(text);
  });

  it('is undone by reading, for every amount', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        // An amount has one zero only.
        expect(parseAmount(formatAmount(amount))).toBe(amount === 0 ? 0 : amount);
      }),
    );
  });

  it('always is a plain decimal of two to six decimals', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        expect(formatAmount(amount)).toMatch(/^-?\d+\.\d{2,6}$/);
      }),
    );
  });
});

describe('what is not an amount', () => {
  it.each([0.5, amountMax + 1, -amountMax - 1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d micros',
    (micros) => {
      expect(() => amountFromMicros(micros)).toThrow(RangeError);
    },
  );

  it('refuses any number that is not whole', () => {
    fc.assert(
      fc.property(fc.double(), (number) => {
        fc.pre(!Number.isSafeInteger(number));
        expect(() => amountFromMicros(number)).toThrow(RangeError);
      }),
    );
  });
});

describe('sums', () => {
  it('are exact where floats are not', () => {
    const dime = amountFromMicros(100_000);
    let sum = zero;
    for (let i = 0; i < 10; i++) sum = addAmounts(sum, dime);
    expect(formatAmount(sum)).toBe('1.00');
  });

  it('do not depend on the order', () => {
    fc.assert(
      fc.property(modestAmount, modestAmount, modestAmount, (a, b, c) => {
        expect(addAmounts(addAmounts(a, b), c)).toBe(addAmounts(a, addAmounts(b, c)));
        expect(addAmounts(a, b)).toBe(addAmounts(b, a));
      }),
    );
  });

  it('of an amount and its opposite are zero', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        expect(addAmounts(amount, negateAmount(amount))).toBe(0);
      }),
    );
  });

  it('less what was added are what they were before', () => {
    fc.assert(
      fc.property(modestAmount, modestAmount, (a, b) => {
        expect(subtractAmounts(addAmounts(a, b), b)).toBe(a);
        expect(subtractAmounts(a, b)).toBe(addAmounts(a, negateAmount(b)));
      }),
    );
  });

  it('of nothing are zero', () => {
    expect(sumAmounts([])).toBe(zero);
  });

  it('of n equal prices are n times the price', () => {
    fc.assert(
      fc.property(modestAmount, fc.integer({ min: 1, max: 10 }), (price, n) => {
        const prices = Array.from({ length: n }, () => price);
        expect(multiplyAmount(price, n)).toBe(sumAmounts(prices));
      }),
    );
  });

  it('beyond the limit are refused, not rounded', () => {
    const most = amountFromMicros(amountMax);
    expect(() => addAmounts(most, amountFromMicros(1))).toThrow(AmountRangeError);
    expect(() => addAmounts(negateAmount(most), amountFromMicros(-1))).toThrow(RangeError);
    expect(() => multiplyAmount(most, 2)).toThrow(RangeError);
  });

  it('with a count that is not whole are refused', () => {
    expect(() => multiplyAmount(amountFromMicros(3), 0.5)).toThrow(RangeError);
    expect(() => multiplyAmount(amountFromMicros(3), 0.5)).not.toThrow(AmountRangeError);
  });

  it('never come out as minus zero', () => {
    expect(Object.is(negateAmount(zero), 0)).toBe(true);
  });
});
