/** How Stripe counts money: https://docs.stripe.com/currencies#minor-units */
import {
  type Amount,
  amountFromMinor,
  type MinorDigits,
  minorFromAmount,
} from '../../shared/money.ts';
import { invalidRequest } from '../lib/service-error.ts';

const withoutMinor = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
const inThousandths = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Counted in hundredths that are always zero. */
const wholeOnly = new Set(['ISK', 'UGX']);

/** What Stripe is told of an amount; refuses one that it cannot charge in this currency. */
export function requireStripeMinor(amount: Amount, currency: string): number {
  const minor = minorFromAmount(amount, digitsOf(currency));
  if (minor !== null && minor % stepOf(currency) === 0) return minor;
  const decimals = stripeDecimals(currency);
  throw invalidRequest('amount', `A payment in ${currency} has at most ${decimals} decimals.`);
}

/** The amount that Stripe tells; null when it is none. */
export function amountFromStripe(minor: number, currency: string): Amount | null {
  return amountFromMinor(minor, digitsOf(currency));
}

/** How many decimals an amount may have that is charged. */
export function stripeDecimals(currency: string): number {
  return wholeOnly.has(currency) ? 0 : Math.min(digitsOf(currency), 2);
}

function digitsOf(currency: string): MinorDigits {
  if (withoutMinor.has(currency)) return 0;
  return inThousandths.has(currency) ? 3 : 2;
}

function stepOf(currency: string): number {
  if (wholeOnly.has(currency)) return 100;
  return inThousandths.has(currency) ? 10 : 1;
}
