import type { UsageDetail } from '../../../../shared/console/usage.ts';
import { useUser } from '../../../api/bootstrap.ts';
import type { usage } from '../../../i18n/en/usage.ts';
import { type Formats, useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { RequestStatus } from '../../../parts/request-status.tsx';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { paths } from '../../../paths.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';

/** What it came to, and what to do if that was nothing. */
export function RequestHead({ record }: { record: UsageDetail }) {
  const t = useText(usageText);
  const { codes, advice } = useText(requestText);
  const { rights } = useUser();
  const formats = useFormats();
  const { code, trace_id: traceId } = record;
  return (
    <>
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center justify-between gap-2">
          <span className="tabular text-title font-semibold">{verdict(record, t, formats)}</span>
          <RequestStatus status={record.status} code={null} />
        </p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <TraceLink traceId={traceId} />
          {rights.includes('admin.log') && (
            <Link to={paths.logRecord(traceId)} className="text-label">
              {t.openLog}
            </Link>
          )}
        </p>
      </div>
      {code && (
        <Notice tone={record.status === 'failed' ? 'bad' : 'accent'} title={codes[code]}>
          <p>{advice[code]}</p>
          <p>
            <code translate="no">{code}</code>
          </p>
        </Notice>
      )}
    </>
  );
}

function verdict(record: UsageDetail, t: typeof usage, formats: Formats): string {
  if (record.status === 'running') return t.running;
  return record.status === 'succeeded' ? t.charged(formats.price(record.cost)) : t.unbilled;
}

export function RequestFacts({ record }: { record: UsageDetail }) {
  const t = useText(usageText);
  const words = useText(requestText);
  const formats = useFormats();
  const { model, api_key: key, images, images_requested: wanted, duration_ms: duration } = record;
  return (
    <Facts
      facts={[
        { label: t.started, value: <Time at={record.started_at} look="full" /> },
        { label: t.ended, value: record.ended_at && <Time at={record.ended_at} look="full" /> },
        { label: t.duration, value: duration === null ? null : formats.duration(duration) },
        {
          label: t.model,
          value: model === null ? words.noModel : <span translate="no">{model}</span>,
        },
        { label: t.operation, value: words.operations[record.operation] },
        { label: t.key, value: <KeyOf record={record} /> },
        { label: t.requestsColumn, value: formats.number(record.requests) },
        {
          label: t.images,
          value: key === null && wanted === 0 ? null : t.delivered(images, wanted),
        },
      ]}
    />
  );
}

function KeyOf({ record: { api_key: key } }: { record: UsageDetail }) {
  const t = useText(usageText);
  const words = useText(requestText);
  if (key === null) return t.noKey;
  if (key.kind === 'playground') return words.playground;
  return <Link to={paths.key(key.id)}>{key.name}</Link>;
}
