import type { UsageChart } from '../../../../shared/console/usage.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { dayOf, nameBuckets } from '../../../lib/buckets.ts';
import { rangeChanges } from '../../../lib/range-search.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { BarChart } from '../../../ui/bar-chart.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { usageSearch } from './usage-state.ts';

/** Spend or requests over the range, by model; the days without any are there too. */
export function UsageBars({ chart }: { chart: UsageChart }) {
  const t = useText(usageText);
  const formats = useFormats();
  const [state, change] = useSearchState(usageSearch);
  const { unit, buckets, range } = chart;
  const { zone } = range;
  const kind = state.chart ?? 'spend';
  const series = useSeries(chart, kind);
  const total = series.reduce((sum, { values }) => sum + values.reduce((a, b) => a + b, 0), 0);
  const format = (value: number) =>
    kind === 'spend' ? formats.total({ micros: Math.round(value) }) : formats.number(value);
  const formatColumn = (values: readonly number[]) => {
    if (kind !== 'spend') return format;
    const write = formats.prices(values.map((value) => ({ micros: Math.round(value) })));
    return (value: number) => write({ micros: Math.round(value) });
  };
  const narrow = (first: number, last: number) => {
    const from = dayOf(buckets[first] ?? range.from, zone);
    const to = dayOf(buckets[last] ?? range.from, zone);
    change({ ...rangeChanges({ from, to }, { tz: zone, zone }), cursor: undefined });
  };
  return (
    <BarChart
      title={t.chartTitle[kind]}
      summary={
        kind === 'spend'
          ? t.spendSummary(format(total), buckets.length, unit)
          : t.requestsSummary(total, buckets.length, unit)
      }
      buckets={nameBuckets(buckets, unit, { locale: formats.locale, zone })}
      series={series}
      format={format}
      formatColumn={formatColumn}
      heads={{ bucket: unit === 'day' ? t.day : t.hour, sum: t.sum }}
      // Ranges are whole days: hours cannot be narrowed any further.
      {...(unit === 'day' ? { onSelect: narrow } : {})}
      controls={
        <Segmented
          label={t.chart}
          value={kind}
          onChange={(chosen) =>
            change({ chart: chosen === 'requests' ? chosen : undefined }, 'replace')
          }
          choices={[
            { value: 'spend', label: t.spend },
            { value: 'requests', label: t.requests },
          ]}
        />
      }
    />
  );
}

function useSeries(chart: UsageChart, kind: 'spend' | 'requests') {
  const { other } = useText(uiText);
  return chart.series.map((one) => ({
    key: one.model ?? '',
    label: one.model ?? other,
    values: one[kind],
    isRest: one.model === null,
  }));
}
