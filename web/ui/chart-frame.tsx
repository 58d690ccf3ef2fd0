import { type ReactNode, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { markScrollEdges } from './scroll-edges.ts';

export interface ChartFrameProps {
  title: ReactNode;
  /** What the pointer or the keyboard is at, or the whole. */
  readout: ReactNode;
  legend?: ReactNode;
  /** The same numbers as rows. */
  table: ReactNode;
  /** Beside the title: what is drawn. */
  controls?: ReactNode;
  /** How tall it all is, unless that is not enough: the drawing has the room that the rest leaves. */
  height?: string;
  children: ReactNode;
}

/** A chart with its title, legend and table twin. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, readout, legend, table, controls, height, children } = props;
  const t = useText(uiText);
  const [isTable, setTable] = useState(false);
  return (
    <section
      className={classes(
        'grid min-w-0 gap-3 rounded-control border border-line bg-surface p-4',
        !isTable && height,
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-body">{title}</h2>
        <div className="flex flex-wrap items-center gap-2">
          {controls}
          <Button size="small" look="quiet" onClick={() => setTable(!isTable)}>
            {isTable ? t.showAsChart : t.showAsTable}
          </Button>
        </div>
      </div>
      {isTable ? (
        <div
          tabIndex={0}
          role="region"
          aria-label={t.showAsTable}
          ref={markScrollEdges}
          className="fade-edges max-h-80 overflow-auto"
        >
          {table}
        </div>
      ) : (
        <>
          <p className="tabular min-h-4.5 text-label text-text-2">{readout}</p>
          {children}
          {legend}
        </>
      )}
    </section>
  );
}

/** The twin of a chart: one row for each point, one column for each series. */
export function ChartTable({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  return (
    <table className="w-full border-collapse text-label">
      <caption className="sr-only">{caption}</caption>
      <thead className="sticky top-0 bg-sunken text-text-2">
        <tr>
          {head.map((title, index) => (
            <th
              key={title}
              scope="col"
              className={`px-3 py-1.5 font-semibold whitespace-nowrap ${index === 0 ? 'text-left' : 'text-right'}`}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key} className="border-b border-line">
            {cells.map((cell, index) => (
              <td
                // oxlint-disable-next-line react/no-array-index-key -- the columns are fixed
                key={index}
                className={`tabular px-3 py-1 whitespace-nowrap ${index === 0 ? 'text-left' : 'text-right'}`}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
