import type { Series } from './series.ts';

export interface ChartLegendProps {
  series: readonly Pick<Series, 'key' | 'label' | 'isRest'>[];
  /** How much of each there is, written. */
  texts: readonly string[];
  /** Of the longest that may stand there, so that no name moves when another does. */
  textLength: number;
}

/** Which colour is what, and how much of it; of a name that is too long for a line, the beginning. */
export function ChartLegend({ series, texts, textLength }: ChartLegendProps) {
  if (series.length < 2) return null;
  return (
    <ul className="flex min-w-0 flex-wrap gap-x-4 gap-y-1 text-label text-text-2">
      {series.map(({ key, label, isRest }, order) => (
        <li key={key} className="flex max-w-full min-w-0 items-center gap-1.5" title={label}>
          <svg width={10} height={10} aria-hidden className="shrink-0">
            <rect width={10} height={10} rx={2} className={fillOf(order, isRest)} />
          </svg>
          <span className="truncate">{label}</span>
          <span
            className="tabular shrink-0 whitespace-nowrap text-text"
            style={{ minWidth: `${textLength}ch` }}
          >
            {texts[order]}
          </span>
        </li>
      ))}
    </ul>
  );
}

const fills = ['fill-series-1', 'fill-series-2', 'fill-series-3', 'fill-series-4'] as const;

export function fillOf(order: number, isRest = false): string {
  return (isRest ? undefined : fills[order]) ?? 'fill-series-other';
}
