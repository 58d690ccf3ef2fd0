import { describe, expect, it } from 'vitest';
import { type Amount, parseAmount } from '../../shared/money.ts';
import {
  formatMoney,
  formatPrice,
  formatSpendable,
  formatTotal,
  priceDecimals,
} from './money-format.ts';

const dollars = { locale: 'en', currency: 'USD' };

describe('prices and single charges', () => {
  it.each([
    ['0', '$0.00'],
    ['0.04', '$0.04'],
    ['0.043', '$0.0430'],
    ['0.0425', '$0.0425'],
    ['0.00001', '$0.00001'],
    ['0.000001', '$0.000001'],
    ['1043.834', '$1,043.8340'],
    ['-0.04', '\u2212$0.04'],
  ])('shows %s as %s: two to six decimals, never three', (text, shown) => {
    expect(formatPrice(amount(text), dollars)).toBe(shown);
  });

  it('gives every row of a column the decimals that the longest needs', () => {
    const decimals = priceDecimals([amount('0.04'), amount('0.125'), amount('2')]);
    const shown = ['0.04', '0.125', '2'].map((text) =>
      formatMoney(amount(text), dollars, { decimals }),
    );
    expect(shown).toEqual(['$0.0400', '$0.1250', '$2.0000']);
  });
});

describe('totals and balances', () => {
  it.each([
    ['4.96', '$4.96'],
    ['4.961', '$4.9610'],
    ['4.9612', '$4.9612'],
    ['4.96125', '$4.961250'],
    ['9007199254.740991', '$9,007,199,254.740991'],
    ['-12', '\u2212$12.00'],
  ])('shows %s as %s: two decimals where that is exact, else four, else six', (text, shown) => {
    expect(formatTotal(amount(text), dollars)).toBe(shown);
  });
});

describe('what can be spent', () => {
  it.each([
    ['4.96', '$4.96'],
    ['4.969999', '$4.96'],
    ['0.01', '$0.01'],
    ['0.009999', '$0.009999'],
    ['0', '$0.00'],
    ['-0.001', '\u2212$0.01'],
    ['-4.961', '\u2212$4.97'],
    ['9007199254.740991', '$9,007,199,254.74'],
  ])('rounds %s down to %s, and to nothing only when there is nothing', (text, shown) => {
    expect(formatSpendable(amount(text), dollars)).toBe(shown);
  });
});

describe('changes of a wallet', () => {
  it.each([
    ['10', '+$10.00'],
    ['-0.04', '\u2212$0.04'],
    ['0', '$0.00'],
  ])('shows %s as %s, with its sign', (text, shown) => {
    expect(formatMoney(amount(text), dollars, { decimals: 2, sign: 'always' })).toBe(shown);
  });
});

it('writes amounts as the reader does', () => {
  expect(formatTotal(amount('1234.5'), { locale: 'zh-CN', currency: 'CNY' })).toBe('¥1,234.50');
  expect(formatTotal(amount('1234.5'), { locale: 'en', currency: 'EUR' })).toBe('€1,234.50');
});

function amount(text: string): Amount {
  const parsed = parseAmount(text);
  if (parsed === null) throw new Error(`no amount: ${text}`);
  return parsed;
}
