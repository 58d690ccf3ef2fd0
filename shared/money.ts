/**
 * Money as whole micros (millionths of the installation's one currency) in safe integers, so that
 * sums are exact. Decimals exist only at the edges: parsed and formatted here, nowhere else.
 */

declare const amountBrand: unique symbol;

/** Whole micros, between -{@link amountMax} and {@link amountMax}. */
export type Amount = number & { readonly [amountBrand]: true };

const microsPerUnit = 1_000_000;
const decimalsMax = 6;

/** About nine billion units: the largest integer a number holds exactly. */
export const amountMax = Number.MAX_SAFE_INTEGER;

/** Of an arithmetic whose result is more than an amount can be. */
export class AmountRangeError extends RangeError {}

/** Takes a number that is already whole micros, such as one read from the database. */
export function amountFromMicros(micros: number): Amount {
  if (!Number.isSafeInteger(micros)) {
    const RangeErrorOf = Number.isInteger(micros) ? AmountRangeError : RangeError;
    throw new RangeErrorOf(`not a whole number of micros within the safe range: ${micros}`);
  }
  // The check above is what the brand stands for.
  return micros as Amount;
}

/** The same; null for more than an amount can be. */
export function amountOrNull(micros: number): Amount | null {
  return Math.abs(micros) > amountMax ? null : amountFromMicros(micros);
}

export const zero = amountFromMicros(0);

/**
 * Reads a decimal such as `12`, `0.04` or `-3.5`. Null when the text is not a plain decimal, has
 * more than six decimals, or lies beyond {@link amountMax}.
 */
export function parseAmount(text: string): Amount | null {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign, units = '', decimals = ''] = match;
  const micros = Number(units) * microsPerUnit + Number(decimals.padEnd(decimalsMax, '0'));
  if (!Number.isSafeInteger(micros)) return null;
  return amountFromMicros(sign === '-' ? 0 - micros : micros);
}

/**
 * For a decimal that is too large to be an amount: the bound that it is beyond, in words for a message such
 * as `at most 9007199254.740991`. Null for any other text.
 */
export function boundPassed(text: string): string | null {
  const match = /^(-?)\d+(?:\.\d{1,6})?$/.exec(text.trim());
  if (!match || parseAmount(text) !== null) return null;
  return match[1] === '-'
    ? `at least ${formatAmount(amountFromMicros(-amountMax))}`
    : `at most ${formatAmount(amountFromMicros(amountMax))}`;
}

/** Writes an amount as an exact decimal with at least two decimals: `0.04`, `12.00`, `-0.000001`. */
export function formatAmount(amount: Amount): string {
  const micros = Math.abs(amount);
  const units = Math.floor(micros / microsPerUnit);
  const decimals = String(micros % microsPerUnit).padStart(decimalsMax, '0');
  const shown = decimals.slice(0, 2) + decimals.slice(2).replace(/0+$/, '');
  return `${amount < 0 ? '-' : ''}${units}.${shown}`;
}

export function addAmounts(a: Amount, b: Amount): Amount {
  return amountFromMicros(a + b);
}

export function subtractAmounts(from: Amount, amount: Amount): Amount {
  return amountFromMicros(from - amount);
}

export function negateAmount(amount: Amount): Amount {
  return amountFromMicros(0 - amount);
}

export function sumAmounts(amounts: readonly Amount[]): Amount {
  return amounts.reduce(addAmounts, zero);
}

/** The price of `count` pictures. */
export function multiplyAmount(amount: Amount, count: number): Amount {
  return amountFromMicros(amount * count);
}

/**
 * Reads a whole number of minor units, as payment services count: with two digits 250 is 2.50, with
 * none it is 250.00. Null when that is no amount.
 */
export function amountFromMinor(minor: number, digits: MinorDigits): Amount | null {
  const micros = minor * microsPerMinor(digits);
  return Number.isSafeInteger(minor) && Number.isSafeInteger(micros)
    ? amountFromMicros(micros)
    : null;
}

/** The opposite; null for an amount between two minor units. */
export function minorFromAmount(amount: Amount, digits: MinorDigits): number | null {
  const minor = amount / microsPerMinor(digits);
  return Number.isSafeInteger(minor) ? minor : null;
}

/** How many decimals the minor unit of a currency is: none of JPY, two of EUR, three of KWD. */
export type MinorDigits = 0 | 2 | 3;

function microsPerMinor(digits: MinorDigits): number {
  return microsPerUnit / 10 ** digits;
}

/** The smaller of two. */
export function leastAmount(a: Amount, b: Amount): Amount {
  return a < b ? a : b;
}

/** By how many percent `to` differs from `from`, to a tenth; null from zero. */
export function percentChange(from: Amount, to: Amount): number | null {
  return from === 0 ? null : Math.round(((to - from) / from) * 1000) / 10;
}
