import type { TransactionList, WalletChart } from '../../../../shared/console/wallet.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { dayOf } from '../../../lib/buckets.ts';
import { formatDay, isoInZone } from '../../../lib/time-format.ts';
import { StepChart } from '../../../ui/step-chart.tsx';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Up to as many days, the axis names hours. */
const hourlyDaysMax = 2;

/** The balance over the range: it stays until something changes it. */
export function BalanceSteps({
  chart,
  askedAt,
  closing,
}: {
  chart: WalletChart;
  /** When that was the state of things, in Unix milliseconds. */
  askedAt: number;
  closing: TransactionList['statement']['closing'];
}) {
  const t = useText(walletText);
  const formats = useFormats();
  const { range, opening, points } = chart;
  const from = Date.parse(range.from);
  const to = Date.parse(range.to);
  // Nothing is known of what has not yet come.
  const until = Math.min(to, askedAt);
  return (
    <StepChart
      title={t.chartTitle}
      summary={t.chartSummary(formats.total(opening), formats.total(closing))}
      from={from}
      to={to}
      until={until}
      ticks={ticksOf(from, to, { zone: range.zone, locale: formats.locale })}
      points={[
        { at: from, title: formats.time(range.from, range.zone), value: opening.micros },
        ...points.map(({ at, balance_micros: value }) => ({
          at: Date.parse(at),
          title: formats.time(at, range.zone),
          value,
        })),
      ]}
      format={(value) => formats.total({ micros: Math.round(value) })}
      formatColumn={(values) => {
        const write = formats.prices(values.map((value) => ({ micros: Math.round(value) })));
        return (value) => write({ micros: Math.round(value) });
      }}
      heads={{ time: t.time, value: t.balanceAfter }}
    />
  );
}

function ticksOf(from: number, to: number, { zone, locale }: { zone: string; locale: string }) {
  const isHourly = to - from <= (hourlyDaysMax + 0.1) * dayMs;
  const step = isHourly ? hourMs : dayMs;
  // The day on which clocks are put forward has an hour less, and is one all the same.
  return Array.from({ length: Math.round((to - from) / step) }, (_, index) => {
    const at = from + index * step;
    const iso = new Date(at).toISOString();
    // A day with a change of the clock shifts the middle of a day, not its name.
    const middle = new Date(at + step / 2).toISOString();
    return {
      at,
      label: isHourly
        ? isoInZone(iso, zone).slice(11, 16)
        : formatDay(dayOf(middle, zone), locale, 'short'),
    };
  });
}
