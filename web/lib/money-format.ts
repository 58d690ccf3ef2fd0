/** How amounts are shown. They stay whole micros until they are text: nothing here divides. */
import { type Amount, amountFromMicros, formatAmount } from '../../shared/money.ts';

export interface MoneyStyle {
  locale: string;
  currency: string;
}

/** Prices and single charges have two to six decimals, but never three, which read as thousands. */
export function priceDecimals(amounts: readonly Amount[]): number {
  const needed = Math.max(2, ...amounts.map(decimalsOf));
  return needed === 3 ? 4 : needed;
}

/** For amounts as the API sends them that stand in one column, or in one sum. */
export function commonDecimals(amounts: readonly { micros: number }[]): number {
  return priceDecimals(amounts.map(({ micros }) => amountFromMicros(micros)));
}

/** Totals and balances: two decimals where that is exact, else four, else six. */
function totalDecimals(amount: Amount): number {
  const needed = decimalsOf(amount);
  if (needed <= 2) return 2;
  return needed <= 4 ? 4 : 6;
}

/** `sign` always: a change of a wallet, where the sign is the news. */
export function formatMoney(
  amount: Amount,
  { locale, currency }: MoneyStyle,
  { decimals, sign = 'auto' }: { decimals: number; sign?: 'auto' | 'always' },
): string {
  const format = numberFormat({ locale, currency, decimals, sign });
  // The decimal text is exact, and formatted as it stands.
  return format
    .formatToParts(formatAmount(amount) as `${number}`)
    .map(({ type, value }) => (type === 'minusSign' ? '\u2212' : value))
    .join('');
}

/** By what it was made for: there are few, and making one takes longer than to write a column by it. */
const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(
  wish: MoneyStyle & { decimals: number; sign: 'auto' | 'always' },
): Intl.NumberFormat {
  const { locale, currency, decimals, sign } = wish;
  const name = [locale, currency, decimals, sign].join(' ');
  const known = numberFormats.get(name);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: sign === 'always' ? 'exceptZero' : 'auto',
  });
  numberFormats.set(name, made);
  return made;
}

/** A price or charge on its own. */
export function formatPrice(amount: Amount, style: MoneyStyle): string {
  return formatMoney(amount, style, { decimals: priceDecimals([amount]) });
}

/** A sum or balance, exactly. */
export function formatTotal(amount: Amount, style: MoneyStyle): string {
  return formatMoney(amount, style, { decimals: totalDecimals(amount) });
}

/** What can be spent: never more than there is, and never nothing where there is something. */
export function formatSpendable(amount: Amount, style: MoneyStyle): string {
  const rounded = roundDown(amount);
  if (rounded === 0 && amount !== 0) return formatTotal(amount, style);
  return formatMoney(rounded, style, { decimals: 2 });
}

const microsPerCent = 10_000;

function roundDown(amount: Amount): Amount {
  const rest = amount % microsPerCent;
  // The rest of a negative amount is negative: down is away from zero.
  return amountFromMicros(amount - rest - (rest < 0 ? microsPerCent : 0));
}

function decimalsOf(amount: Amount): number {
  const [, decimals = ''] = formatAmount(amount).replace(/0+$/, '').split('.');
  return decimals.length;
}
