import { useFormats, type WireAmount } from '../i18n/formats.tsx';
import { uiText } from '../i18n/ui-text.ts';
import { useText } from '../i18n/text.ts';
import { classes } from './classes.ts';

export interface MoneyProps {
  amount: WireAmount;
  /** What it is decides how it is rounded: see `lib/money-format.ts`. */
  as: 'price' | 'total' | 'spendable' | 'change';
  /** The other amounts of its column, so that all have as many decimals. */
  among?: readonly WireAmount[];
  className?: string;
}

export function Money({ amount, as, among, className }: MoneyProps) {
  const formats = useFormats();
  const t = useText(uiText);
  const shown = as === 'price' && among ? formats.prices(among)(amount) : formats[as](amount);
  return (
    <span className={classes('tabular whitespace-nowrap', className)} translate="no">
      {as === 'price' && amount.micros === 0 ? `${t.free} (${shown})` : shown}
    </span>
  );
}
