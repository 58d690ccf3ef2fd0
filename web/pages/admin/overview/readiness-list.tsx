import { useQuery } from '@tanstack/react-query';
import { Check, Circle, CircleHelp } from 'lucide-react';
import type { ReadinessView } from '../../../../shared/console/admin-overview.ts';
import { readinessQuery } from '../../../api/admin-overview.ts';
import { adminOverviewText } from '../../../i18n/admin-overview-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { icon } from '../../../ui/icon.ts';
import { Link } from '../../../ui/link.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { targetOf } from '../admin-targets.ts';

type Item = ReadinessView['items'][number];

/** What it takes to serve others, until all of it is there. */
export function ReadinessList() {
  const t = useText(adminOverviewText);
  const { data, error, refetch } = useQuery(readinessQuery);
  if (error && !data) {
    return <ErrorState error={error} title={t.readinessFailed} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton className="h-40 rounded-control" />;
  if (data.is_ready) return null;
  const needed = data.items.filter(({ state }) => state !== 'not_needed');
  const done = needed.filter(({ state }) => state === 'done');
  const open = needed.filter(({ state }) => state !== 'done');
  return (
    <section
      aria-labelledby="readiness"
      className="overflow-hidden rounded-control border border-line bg-surface"
    >
      <header className="grid gap-2.5 px-4 pt-3.5 pb-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id="readiness" className="text-body">
            {t.readiness}
          </h2>
          <p className="tabular text-label text-text-2">{t.progress(done.length, needed.length)}</p>
        </div>
        <Progress done={done.length} all={needed.length} />
      </header>
      <ul aria-label={t.states.open}>
        {open.map((item) => (
          <OpenItem key={item.id} item={item} />
        ))}
      </ul>
      <DoneItems items={done} />
    </section>
  );
}

function Progress({ done, all }: { done: number; all: number }) {
  return (
    <svg aria-hidden width="100%" height={4} className="block rounded-small">
      <rect width="100%" height={4} className="fill-pressed" />
      <rect width={`${(done / all) * 100}%`} height={4} className="fill-ink" />
    </svg>
  );
}

function OpenItem({ item: { id, state, link } }: { item: Item }) {
  const t = useText(adminOverviewText);
  const { name, why, fix } = t.items[id];
  const target = targetOf(link);
  const Picture = state === 'unknown' ? CircleHelp : Circle;
  return (
    <li
      data-item={id}
      className="grid grid-cols-[auto_minmax(0,1fr)_minmax(0,auto)] items-baseline gap-x-3 border-t border-line px-4 py-2.5 max-sm:grid-cols-[auto_minmax(0,1fr)]"
    >
      <Picture {...icon} className="relative top-0.5 text-text-3" aria-hidden />
      <p className="min-w-0">
        <span className="font-semibold">{name}</span>
        {state === 'unknown' && <span className="text-text-2"> · {t.states.unknown}</span>}
        <span className="block text-label text-text-2">{why}</span>
      </p>
      <p className="text-label sm:max-w-[44ch] sm:text-right max-sm:col-start-2">
        {target ? <Link to={target}>{fix}</Link> : <span className="text-text-2">{fix}</span>}
      </p>
    </li>
  );
}

function DoneItems({ items }: { items: readonly Item[] }) {
  const t = useText(adminOverviewText);
  if (items.length === 0) return null;
  return (
    <details className="border-t border-line">
      <summary className="px-4 py-2.5 text-label text-text-2 hover:text-text">
        {t.done(items.length)}
      </summary>
      <ul className="grid gap-x-6 gap-y-1.5 px-4 pb-3.5 sm:grid-cols-2 lg:grid-cols-3">
        {items.map(({ id }) => (
          <li key={id} className="flex items-center gap-2 text-text-2">
            <Check {...icon} className="shrink-0 text-ok" aria-hidden />
            {t.items[id].name}
          </li>
        ))}
      </ul>
    </details>
  );
}
