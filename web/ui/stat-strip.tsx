import type { ReactNode } from 'react';
import { Link, type LinkTarget } from './link.tsx';

export interface Stat {
  label: string;
  value: ReactNode;
  /** A few words below: what it includes. */
  note?: ReactNode;
  /** The rows that it counts. */
  to?: LinkTarget;
}

/** A few numbers in a row, each a link to what it counts. */
export function StatStrip({ stats, label }: { stats: readonly Stat[]; label: string }) {
  return (
    <dl
      aria-label={label}
      className="flex flex-wrap gap-px overflow-hidden rounded-control border border-line bg-line"
    >
      {stats.map((stat) => (
        <div
          key={stat.label}
          className="relative grid max-w-full grow basis-34 content-start gap-0.5 bg-surface px-4 py-3"
        >
          <dt className="text-label text-text-2">
            {stat.to ? (
              // The whole cell is the link.
              <Link
                to={stat.to}
                look="plain"
                className="after:absolute after:inset-0 hover:underline"
              >
                {stat.label}
              </Link>
            ) : (
              stat.label
            )}
          </dt>
          {/* Cut off or broken, a large amount would read as a smaller one. */}
          <dd className="tabular text-title font-semibold whitespace-nowrap">{stat.value}</dd>
          {stat.note && <dd className="text-caption text-text-3">{stat.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
