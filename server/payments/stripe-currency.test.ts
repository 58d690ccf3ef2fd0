import { expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../shared/money.ts';
import { must } from '../lib/assert.ts';
import { amountFromStripe, requireStripeMinor, stripeDecimals } from './stripe-currency.ts';

const amount = (text: string) => must(parseAmount(text), text);

test.each([
  ['USD', '12.34', 1_234],
  ['EUR', '0.01', 1],
  ['JPY', '500', 500],
  ['KRW', '1', 1],
  // In thousandths, of which the last digit must be zero.
  ['KWD', '5.12', 5_120],
  // In hundredths, which must be zero.
  ['UGX', '5', 500],
  ['ISK', '100', 10_000],
  ['HUF', '10.50', 1_050],
])('%s %s is %d to Stripe', (currency, text, minor) => {
  expect(requireStripeMinor(amount(text), currency)).toBe(minor);
  const back = amountFromStripe(minor, currency);
  expect(back).toBe(amount(text));
});

test.each([
  ['USD', '0.001', 2],
  ['JPY', '0.5', 0],
  ['KWD', '5.123', 2],
  ['UGX', '5.5', 0],
  ['ISK', '0.01', 0],
])('%s %s cannot be charged', (currency, text, decimals) => {
  expect(() => requireStripeMinor(amount(text), currency)).toThrow(`at most ${decimals} decimals`);
  expect(stripeDecimals(currency)).toBe(decimals);
});

test('what is no amount is told', () => {
  expect(amountFromStripe(0.5, 'USD')).toBeNull();
  expect(amountFromStripe(Number.MAX_SAFE_INTEGER, 'JPY')).toBeNull();
  expect(formatAmount(must(amountFromStripe(1_500, 'KWD'), 'an amount'))).toBe('1.50');
});
