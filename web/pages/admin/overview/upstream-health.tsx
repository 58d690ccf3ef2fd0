import { useMemo } from 'react';
import type { OverviewView } from '../../../../shared/console/admin-overview.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminOverviewText } from '../../../i18n/admin-overview-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { Section } from '../../../parts/section.tsx';
import { paths } from '../../../paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';
import { HealthPill } from '../health-pill.tsx';
import { RelativeTime } from '../relative-time.tsx';

type Upstream = OverviewView['upstreams'][number];

export function UpstreamHealth({ upstreams }: { upstreams: readonly Upstream[] }) {
  const t = useText(adminOverviewText);
  return (
    <Section title={t.upstreams}>
      <DataTable
        caption={t.upstreams}
        columns={useColumns()}
        rows={upstreams}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title={t.upstreamsEmpty}
            action={
              <Link to={paths.newUpstream()} look="plain" className={buttonClass('primary')}>
                {t.addUpstream}
              </Link>
            }
          />
        }
      />
    </Section>
  );
}

function useColumns(): readonly Column<Upstream>[] {
  const t = useText(adminOverviewText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t.name,
        phone: 'title',
        cell: ({ id, name }) => (
          <Link to={paths.upstream(id)} translate="no">
            {name}
          </Link>
        ),
      },
      {
        id: 'health',
        title: t.health,
        phone: 'value',
        cell: ({ health }) => <HealthPill health={health} />,
      },
      {
        id: 'checked',
        title: t.checked,
        phone: 'detail',
        cell: ({ checked_at: at }) => (at === null ? words.never : <RelativeTime at={at} />),
      },
      {
        id: 'flight',
        title: t.inFlight,
        align: 'end',
        cell: ({ in_flight: running, concurrency_max: max }) =>
          max === null
            ? formats.number(running)
            : `${formats.number(running)} / ${formats.number(max)}`,
      },
      {
        id: 'median',
        title: t.median,
        align: 'end',
        phone: 'meta',
        cell: ({ median_ms_24h: ms }) =>
          ms === null ? t.nothing : formats.duration(ms, { isInColumn: true }),
      },
    ],
    [t, words, formats],
  );
}
