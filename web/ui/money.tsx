import { fill } from '../i18n/fill.tsx';
import { type Formats, useFormats, type WireAmount } from '../i18n/formats.tsx';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { classes } from './classes.ts';

export interface MoneyProps {
  amount: WireAmount;
  /**
   * What it is decides how it is written: see `lib/money-format.ts`. A `price` is what something
   * would cost, and may be free; a `cost` is what was charged.
   */
  as: 'price' | 'cost' | 'total' | 'spendable' | 'change';
  /** The other amounts of its column, so that all have as many decimals. */
  among?: readonly WireAmount[] | undefined;
  className?: string;
}

export function Money({ amount, as, among, className }: MoneyProps) {
  const formats = useFormats();
  const t = useText(uiText);
  const shown = show(formats, { amount, as, among });
  return (
    <span className={classes('tabular whitespace-nowrap', className)} translate="no">
      {as === 'price' && amount.micros === 0 ? (
        <>
          {t.free}
          {fill(t.aside, { text: shown })}
        </>
      ) : (
        shown
      )}
    </span>
  );
}

function show(formats: Formats, { amount, as, among }: MoneyProps): string {
  const isPrice = as === 'price' || as === 'cost';
  if (!isPrice) return formats[as](amount);
  return among ? formats.prices(among)(amount) : formats.price(amount);
}
