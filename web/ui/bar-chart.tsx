import { scaleLinear } from 'd3-scale';
import { type PointerEvent, type ReactNode, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { ChartFrame, ChartTable } from './chart-frame.tsx';
import { ChartLegend, fillOf } from './chart-legend.tsx';
import type { Series } from './series.ts';
import { type Size, useSize } from './use-size.ts';

export interface BarChartProps {
  title: string;
  /** One line that says what the chart shows, for who cannot see it. */
  summary: string;
  /** Every bucket, the empty ones too. */
  buckets: readonly Bucket[];
  /** At most four, and one for the rest; stacked from the bottom in this order. */
  series: readonly Series[];
  format: (value: number) => string;
  /** For values that stand below each other, so that their figures do; by default each as it is. */
  formatColumn?: (values: readonly number[]) => (value: number) => string;
  /** What the columns of the table twin are called: the bucket's, and that of the sum. */
  heads: { bucket: string; sum: string };
  /** Narrows the range to these buckets: by dragging, or by a click at its start and one at its end. */
  onSelect?: (first: number, last: number) => void;
  controls?: ReactNode;
}

export interface Bucket {
  key: string;
  /** Below the bar, short. */
  label: string;
  /** In full: "14 Nov 2025". */
  title: string;
}

/** With the drawing in the third row, whatever the lines above and below it take. */
const barChartHeight = 'h-fit min-h-79.5 grid-rows-[auto_auto_1fr] max-sm:min-h-96.5';
const margin = { top: 8, right: 2, bottom: 22 };
/** For the values at the left: at least so much, and for long ones by the character. */
const axisRoomPxMin = 64;
const axisCharacterPx = 7;
const axisGapPx = 8;
export const labelRoomPx = 64;
/** Half of the longest label, which is a date in Chinese. */
const labelHalfPx = 26;
const gapShare = 0.22;
const barWidthMaxPx = 48;
const tickCount = 4;
/** The top of an axis of zeros: below it is no other whole number. */
export const nothingTop = 0.5;

/** Stacked bars, drawn at the real width so that labels keep their size. */
export function BarChart(props: BarChartProps) {
  const { title, summary, buckets, series, format, heads, controls } = props;
  const { formatColumn = () => format } = props;
  const [at, setAt] = useState<number | null>(null);
  const sums = buckets.map((_, index) => sumAt(series, index));
  const columns = [...series.map(({ values }) => values), sums].map((values) => ({
    values,
    format: formatColumn(values),
  }));
  return (
    <ChartFrame
      title={title}
      controls={controls}
      readout={at === null ? summary : <Readout {...props} at={at} />}
      height={barChartHeight}
      legend={<Legend {...props} at={at} />}
      table={
        <ChartTable
          caption={summary}
          head={[heads.bucket, ...series.map(({ label }) => label), heads.sum]}
          rows={buckets.map(({ key, title: name }, index) => ({
            key,
            cells: [name, ...columns.map((column) => column.format(column.values[index] ?? 0))],
          }))}
        />
      }
    >
      <Plot {...props} sums={sums} at={at} onMove={setAt} />
    </ChartFrame>
  );
}

function Readout({ buckets, series, format, at }: BarChartProps & { at: number }) {
  return (
    <>
      <strong className="text-text">{buckets[at]?.title}</strong> {format(sumAt(series, at))}
    </>
  );
}

/** With what each series has in the bucket that the pointer is at, or in all. */
function Legend({ series, format, formatColumn, at }: BarChartProps & { at: number | null }) {
  const sums = series.map(({ values }) => sumOf(values));
  const shown = at === null ? sums : series.map(({ values }) => values[at] ?? 0);
  // All by one rule, so that no part is written longer than its whole.
  const write = formatColumn?.(series.flatMap(({ values }) => values)) ?? format;
  const textLength = Math.max(...sums.map((sum) => write(sum).length), 0);
  return <ChartLegend series={series} texts={shown.map(write)} textLength={textLength} />;
}

interface PlotProps extends BarChartProps {
  sums: readonly number[];
  at: number | null;
  onMove: (at: number | null) => void;
}

function Plot(props: PlotProps) {
  const { summary, buckets, series, format, formatColumn, sums, at, onMove, onSelect } = props;
  const [element, { width, height }] = useSize<HTMLDivElement>();
  const [begun, setBegun] = useState<{ key: string; isHeld: boolean } | null>(null);
  // Where other buckets are drawn meanwhile, it is among them or it is none.
  const startAt = begun ? buckets.findIndex(({ key }) => key === begun.key) : -1;
  const start = begun && startAt >= 0 ? { ...begun, at: startAt } : null;
  const top = Math.max(...sums, 0);
  const y = scaleLinear()
    .domain([0, top === 0 ? nothingTop : top])
    .nice(tickCount)
    .range([height - margin.bottom, margin.top]);
  const write = formatColumn?.(axisValues(y)) ?? format;
  const left = axisRoomPx(y, write);
  const inner = Math.max(0, width - left - margin.right);
  const step = buckets.length === 0 ? 0 : inner / buckets.length;
  const indexOf = ({ clientX, currentTarget }: PointerEvent) => {
    const at = clientX - currentTarget.getBoundingClientRect().left - left;
    return Math.min(buckets.length - 1, Math.max(0, Math.floor(at / step)));
  };
  const press = (event: PointerEvent) => {
    if (!onSelect || event.button !== 0) return;
    // A drag may go beyond the chart, and ends all the same.
    event.currentTarget.setPointerCapture(event.pointerId);
    const key = buckets[indexOf(event)]?.key;
    setBegun(start ?? (key === undefined ? null : { key, isHeld: true }));
  };
  const release = (event: PointerEvent) => {
    if (!start || !onSelect || event.button !== 0) return;
    const to = indexOf(event);
    // A click leaves the start where it is, and the next one ends it.
    const isClick = start.isHeld && to === start.at;
    setBegun(isClick ? { ...start, isHeld: false } : null);
    if (!isClick) onSelect(Math.min(start.at, to), Math.max(start.at, to));
  };
  return (
    <div
      ref={element}
      className="relative min-h-24 min-w-0 rounded-small has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
    >
      <svg
        role="img"
        aria-label={summary}
        width={width}
        height={height}
        className={`absolute inset-0 block touch-pan-y select-none ${onSelect ? 'cursor-crosshair' : ''}`}
        onPointerMove={(event) => onMove(indexOf(event))}
        onPointerLeave={() => onMove(null)}
        onPointerDown={press}
        onPointerUp={release}
        // A finger that scrolls the page has chosen nothing.
        onPointerCancel={() => setBegun(start?.isHeld ? null : start)}
      >
        <Axis y={y} left={left} width={width} format={write} />
        {at !== null && (
          <rect
            x={left + Math.min(at, start?.at ?? at) * step}
            y={margin.top}
            width={(Math.abs(at - (start?.at ?? at)) + 1) * step}
            height={Math.max(0, height - margin.top - margin.bottom)}
            className="fill-hover"
          />
        )}
        {buckets.map(({ key }, index) => (
          <Bar key={key} series={series} x={left + index * step} index={index} step={step} y={y} />
        ))}
        <Labels {...{ buckets, left, step, width, height }} />
      </svg>
      <Walker {...{ summary, buckets, sums, format, at, onMove }} />
    </div>
  );
}

type Scale = (value: number) => number;

function Bar({
  series,
  x: left,
  index,
  step,
  y,
}: {
  series: readonly Series[];
  x: number;
  index: number;
  step: number;
  y: Scale;
}) {
  const width = Math.min(barWidthMaxPx, Math.max(1, step * (1 - gapShare)));
  const x = left + (step - width) / 2;
  let below = 0;
  return series.map(({ key, values, isRest }, order) => {
    const value = values[index] ?? 0;
    const [from, to] = [y(below), y(below + value)];
    below += value;
    return (
      <rect
        key={key}
        x={x}
        y={to}
        width={width}
        height={Math.max(0, from - to)}
        className={fillOf(order, isRest)}
      />
    );
  });
}

/** The middle of a label: where it belongs, but for one that would be cut off at the end. */
export function labelPlace(x: number, width: number): number {
  return Math.min(x, width - labelHalfPx);
}

type ValueScale = Scale & { ticks: (count: number) => number[] };

/** How far from the left the chart begins, so that no value is cut off. */
export function axisRoomPx(y: ValueScale, format: (value: number) => string): number {
  const longest = Math.max(...axisValues(y).map((value) => format(value).length), 0);
  return Math.max(axisRoomPxMin, longest * axisCharacterPx + axisGapPx);
}

/** What is drawn are micros and counts: there are no parts of them, and none beyond what can be counted. */
export function axisValues(y: ValueScale): readonly number[] {
  return y.ticks(tickCount).filter(Number.isSafeInteger);
}

/** Lines, and values at their left. */
export function Axis({
  y,
  left,
  width,
  format,
}: {
  y: ValueScale;
  left: number;
  width: number;
  format: (value: number) => string;
}) {
  return axisValues(y).map((value) => (
    <g key={value}>
      <line x1={left} x2={width} y1={y(value)} y2={y(value)} className="stroke-line" />
      <text
        x={left - axisGapPx}
        y={y(value)}
        dy="0.32em"
        textAnchor="end"
        className="tabular fill-text-2 text-caption"
      >
        {format(value)}
      </text>
    </g>
  ));
}

/** As many as fit, evenly. */
function Labels({
  buckets,
  left,
  step,
  width,
  height,
}: {
  buckets: readonly Bucket[];
  left: number;
  step: number;
} & Size) {
  const every = Math.max(1, Math.ceil(labelRoomPx / Math.max(step, 1)));
  return buckets.map(({ key, label }, index) =>
    index % every === 0 ? (
      <text
        key={key}
        x={labelPlace(left + (index + 0.5) * step, width)}
        y={height - 6}
        textAnchor="middle"
        className="tabular fill-text-2 text-caption"
      >
        {label}
      </text>
    ) : null,
  );
}

/** The way through the bars by keyboard: arrows move, and each bar is read out. */
function Walker({
  summary,
  buckets,
  sums,
  format,
  at,
  onMove,
}: Pick<PlotProps, 'summary' | 'buckets' | 'sums' | 'format' | 'at' | 'onMove'>) {
  const { labelled } = useText(uiText);
  if (buckets.length === 0) return null;
  const index = at ?? buckets.length - 1;
  return (
    <input
      type="range"
      aria-label={summary}
      min={0}
      max={buckets.length - 1}
      value={index}
      aria-valuetext={labelled(buckets[index]?.title ?? '', format(sums[index] ?? 0))}
      onChange={(event) => onMove(event.target.valueAsNumber)}
      onFocus={() => onMove(index)}
      onBlur={() => onMove(null)}
      className="pointer-events-none absolute inset-0 m-0 size-full opacity-0"
    />
  );
}

function sumAt(series: readonly Series[], index: number): number {
  return sumOf(series.map(({ values }) => values[index] ?? 0));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
