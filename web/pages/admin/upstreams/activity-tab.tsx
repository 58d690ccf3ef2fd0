import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Activity, activityQuery } from '../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Section } from '../../../parts/section.tsx';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Time } from '../../../ui/time.tsx';
import { faultText, skipText } from '../fault-text.ts';

type Failure = Activity['failures'][number];

/** What went wrong lately, with the requests that it happened to. */
export function ActivityTab({ upstreamId }: { upstreamId: string }) {
  const t = useText(adminUpstreamsText);
  const { data, error, refetch } = useQuery(activityQuery(upstreamId));
  const columns = useColumns();
  return (
    <Section title={t.activity}>
      {error && (
        <ErrorState error={error} title={t.activityFailed} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonRows />}
      {data && (
        <DataTable
          caption={t.activity}
          isCompact
          columns={columns}
          rows={data.failures}
          rowKey={(row) => `${row.trace_id} ${row.started_at} ${row.upstream_model}`}
          empty={<EmptyState title={t.activityEmpty} />}
        />
      )}
    </Section>
  );
}

function useColumns(): readonly Column<Failure>[] {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t.time,
        phone: 'detail',
        cell: ({ started_at: at }) => <Time at={at} />,
      },
      {
        id: 'outcome',
        title: t.outcome,
        phone: 'title',
        cell: ({ fault, skipped, status, queued_behind: jobs }) => (
          <span className="whitespace-nowrap">
            {fault === null ? t.skipped(skipText(skipped ?? '', words)) : faultText(fault, words)}
            {status !== null && <span className="text-text-2"> · HTTP {status}</span>}
            {jobs !== null && (
              <span className="block text-label text-text-2">{t.queuedBehind(jobs)}</span>
            )}
          </span>
        ),
      },
      {
        id: 'model',
        title: t.model,
        cell: ({ model, upstream_model: entry }) => (
          <span translate="no" className="whitespace-nowrap">
            {model}
            <code className="block text-caption text-text-2">{entry}</code>
          </span>
        ),
      },
      { id: 'key', title: t.key, cell: ({ key }) => <span translate="no">{key}</span> },
      {
        id: 'code',
        title: t.code,
        cell: ({ upstream_code: code, upstream_param: param }) => (
          <code translate="no">
            {code}
            {param !== null && <span className="block text-caption text-text-2">{param}</span>}
          </code>
        ),
      },
      {
        id: 'duration',
        title: t.duration,
        align: 'end',
        phone: 'value',
        cell: ({ duration_ms: ms }) => formats.duration(ms, { isInColumn: true }),
      },
      {
        id: 'charged',
        title: t.charged,
        cell: ({ possibly_charged: isMaybe }) => (isMaybe ? t.maybe : words.no),
      },
      {
        id: 'trace',
        title: t.trace,
        phone: 'meta',
        cell: ({ trace_id: traceId }) => <TraceLink traceId={traceId} />,
      },
    ],
    [t, words, formats],
  );
}
