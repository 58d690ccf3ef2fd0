import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Axis, axisRoomPx, axisValues, labelPlace, labelRoomPx, nothingTop } from './bar-chart.tsx';
import { ChartFrame, ChartTable } from './chart-frame.tsx';
import { useSize } from './use-size.ts';

export interface StepChartProps {
  title: string;
  summary: string;
  /** In the order of time; each value holds until the next. */
  points: readonly StepPoint[];
  /** Milliseconds of both ends of the axis. */
  from: number;
  to: number;
  /** Up to where the last value is known to hold; by default the end. */
  until?: number;
  /** Below the axis. */
  ticks: readonly { at: number; label: string }[];
  format: (value: number) => string;
  /** For values that stand below each other, so that their figures do; by default each as it is. */
  formatColumn?: (values: readonly number[]) => (value: number) => string;
  heads: { time: string; value: string };
}

export interface StepPoint {
  at: number;
  /** In full: "14 Nov 2025, 13:05:09". */
  title: string;
  value: number;
}

const heightPx = 160;
const margin = { top: 8, right: 8, bottom: 22 };

/** A value over time that stays until it changes, such as a balance. */
export function StepChart(props: StepChartProps) {
  const { title, summary, points, format, heads } = props;
  const { formatColumn = () => format } = props;
  const formatCell = formatColumn(points.map(({ value }) => value));
  const [at, setAt] = useState<number | null>(null);
  const point = at === null ? undefined : points[at];
  return (
    <ChartFrame
      title={title}
      readout={
        point ? (
          <>
            <strong className="text-text">{point.title}</strong> {format(point.value)}
          </>
        ) : (
          summary
        )
      }
      table={
        <ChartTable
          caption={summary}
          head={[heads.time, heads.value]}
          rows={points.map((each, index) => ({
            key: `${each.at}-${index}`,
            cells: [each.title, formatCell(each.value)],
          }))}
        />
      }
    >
      <Plot {...props} index={at} onMove={setAt} />
    </ChartFrame>
  );
}

interface PlotProps extends StepChartProps {
  index: number | null;
  onMove: (index: number | null) => void;
}

function Plot(props: PlotProps) {
  const { summary, points, from, to, until = to, ticks, index, onMove } = props;
  const { format, formatColumn } = props;
  const { labelled } = useText(uiText);
  const [element, { width }] = useSize<HTMLDivElement>();
  const bottom = heightPx - margin.bottom;
  const values = points.map(({ value }) => value);
  const y = scaleLinear()
    .domain([Math.min(0, ...values), Math.max(...values, nothingTop)])
    .nice(4)
    .range([bottom, margin.top]);
  const write = formatColumn?.(axisValues(y)) ?? format;
  const left = axisRoomPx(y, write);
  const x = scaleLinear([from, to], [left, Math.max(left, width - margin.right)]);
  const last = points.at(-1);
  const drawn = last ? [...points, { ...last, at: Math.max(last.at, until) }] : [];
  const path = line<StepPoint>(
    ({ at }) => x(at),
    ({ value }) => y(value),
  ).curve(curveStepAfter);
  const below = area<StepPoint>()
    .x(({ at }) => x(at))
    .y0(y(0))
    .y1(({ value }) => y(value))
    .curve(curveStepAfter);
  const at = index === null ? undefined : points[index];
  const said = at ?? last;
  const every = Math.ceil((ticks.length * labelRoomPx) / Math.max(1, width - left));
  return (
    <div
      ref={element}
      className="relative min-w-0 rounded-small has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
    >
      <svg
        role="img"
        aria-label={summary}
        width={width}
        height={heightPx}
        className="block touch-pan-y select-none"
        onPointerMove={({ clientX, currentTarget }) => {
          const time = x.invert(clientX - currentTarget.getBoundingClientRect().left);
          onMove(indexAt(points, time));
        }}
        onPointerLeave={() => onMove(null)}
      >
        <Axis y={y} left={left} width={width} format={write} />
        <path d={below(drawn) ?? ''} className="fill-series-1 opacity-15" />
        <path d={path(drawn) ?? ''} fill="none" strokeWidth={1.5} className="stroke-series-1" />
        {at && <circle cx={x(at.at)} cy={y(at.value)} r={3.5} className="fill-series-1" />}
        {ticks.map((tick, order) =>
          order % Math.max(1, every) === 0 ? (
            <text
              key={tick.at}
              x={labelPlace(x(tick.at), width)}
              y={heightPx - 6}
              textAnchor="middle"
              className="tabular fill-text-2 text-caption"
            >
              {tick.label}
            </text>
          ) : null,
        )}
      </svg>
      {points.length > 0 && (
        <input
          type="range"
          aria-label={summary}
          min={0}
          max={points.length - 1}
          value={index ?? points.length - 1}
          aria-valuetext={said && labelled(said.title, format(said.value))}
          onChange={(event) => onMove(event.target.valueAsNumber)}
          onFocus={() => onMove(index ?? points.length - 1)}
          onBlur={() => onMove(null)}
          className="pointer-events-none absolute inset-0 m-0 size-full opacity-0"
        />
      )}
    </div>
  );
}

function indexAt(points: readonly StepPoint[], time: number): number | null {
  const after = points.findIndex(({ at }) => at > time);
  if (after === 0 || points.length === 0) return null;
  return after === -1 ? points.length - 1 : after - 1;
}
