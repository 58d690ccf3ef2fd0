import { fill } from '../../../../i18n/fill.tsx';
import { useFormats } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { uiText } from '../../../../i18n/ui-text.ts';
import { paths } from '../../../../paths.ts';
import { Link } from '../../../../ui/link.tsx';
import { usePrices } from '../use-prices.ts';
import { type Cost, useShortOfMoney } from './use-generate.ts';

/** What the next click costs, and what is left after it. */
export function CostLine({ cost, waiting }: { cost: Cost | null; waiting: number }) {
  const t = useText(playgroundText);
  const { sentences } = useText(uiText);
  const price = usePrices();
  const formats = useFormats();
  const shortOfMoney = useShortOfMoney();
  // Its place, so that the bar does not grow when the prices are there.
  if (!cost) return <div aria-hidden className="h-4.5" />;
  const { unit, count, total, before, after } = cost;
  const short = shortOfMoney(cost);
  if (short) {
    return (
      <p className="text-label text-bad" data-testid="cost">
        {fill(sentences([short, '{wallet}']), {
          wallet: <Link to={paths.wallet()}>{t.cost.openWallet}</Link>,
        })}
      </p>
    );
  }
  return (
    <p className="tabular flex flex-wrap justify-between gap-x-3 text-label" data-testid="cost">
      <span>
        {count === 1 ? t.cost.one : t.cost.many(count, price(unit))}{' '}
        <strong className="font-semibold">
          {count === 1 ? price(total) : `= ${price(total)}`}
        </strong>
        {waiting > 0 && <span className="text-text-2"> · {t.waiting(waiting)}</span>}
      </span>
      <span className="text-text-2">
        {fill(t.cost.balance, {
          before: formats.spendable(before),
          after: <span className="text-text">{formats.spendable(after)}</span>,
        })}
      </span>
    </p>
  );
}
