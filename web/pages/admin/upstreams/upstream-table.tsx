import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { AdminUpstream } from '../../../../shared/console/admin-upstreams.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { paths } from '../../../paths.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { faultText } from '../fault-text.ts';
import { HealthPill } from '../health-pill.tsx';
import { RelativeTime } from '../relative-time.tsx';

/** In the order in which they are tried. */
export function UpstreamTable({
  upstreams,
  empty,
}: {
  upstreams: readonly AdminUpstream[];
  empty: ReactNode;
}) {
  const t = useText(adminUpstreamsText);
  const navigate = useNavigate();
  return (
    <DataTable
      caption={t.title}
      columns={useColumns()}
      rows={upstreams}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: paths.upstream(id).path })}
      empty={empty}
    />
  );
}

function useColumns(): readonly Column<AdminUpstream>[] {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t.name,
        phone: 'title',
        cell: ({ id, name, base_url: url }) => (
          <span className="block max-w-64 min-w-32 max-sm:truncate">
            <Link to={paths.upstream(id)} translate="no">
              {name}
            </Link>
            <span className="block truncate text-label text-text-2 max-sm:hidden" translate="no">
              {url === null ? '' : hostOf(url)}
            </span>
          </span>
        ),
      },
      {
        id: 'kind',
        title: t.kind,
        cell: ({ kind }) => (
          <code className="text-label whitespace-nowrap" translate="no">
            {kind}
          </code>
        ),
      },
      {
        id: 'models',
        title: t.models,
        align: 'end',
        cell: ({ models }) => formats.number(models.length),
      },
      {
        id: 'order',
        title: t.order,
        align: 'end',
        cell: ({ priority, weight }) => `${formats.number(priority)} / ${formats.number(weight)}`,
      },
      {
        id: 'health',
        title: t.health,
        phone: 'value',
        cell: ({ health }) => <HealthPill health={health} />,
      },
      {
        id: 'check',
        title: t.lastCheck,
        phone: 'detail',
        cell: ({ check }) => {
          if (!check) return <span className="text-text-3">{t.neverChecked}</span>;
          return (
            <span className="whitespace-nowrap">
              <RelativeTime at={check.checked_at} />
              {check.fault !== null && (
                <span className="block text-label text-bad">{faultText(check.fault, words)}</span>
              )}
            </span>
          );
        },
      },
      {
        id: 'flight',
        title: t.inFlight,
        align: 'end',
        cell: ({ in_flight: running, concurrency_max: max }) =>
          `${formats.number(running)} / ${max === null ? words.unlimited : formats.number(max)}`,
      },
      {
        id: 'median',
        title: t.median,
        align: 'end',
        phone: 'meta',
        cell: ({ median_ms_24h: ms }) =>
          ms === null ? t.none : formats.duration(ms, { isInColumn: true }),
      },
      {
        id: 'enabled',
        title: t.enabled,
        cell: ({ enabled }) => (enabled ? words.yes : words.no),
      },
    ],
    [t, words, formats],
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
