import type { LogDetail } from '../../../../shared/console/admin-log.ts';
import { useUser } from '../../../api/bootstrap.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { RequestStatus } from '../../../parts/request-status.tsx';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { paths } from '../../../paths.ts';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** What it came to; where it failed for want of a half of its model, the way there. */
export function RecordHead({ record }: { record: LogDetail }) {
  const t = useText(adminLogText);
  const usage = useText(usageText);
  const { codes, advice } = useText(requestText);
  const formats = useFormats();
  const viewer = useUser();
  const { code, model, status, cost } = record;
  const verdict = {
    running: usage.running,
    succeeded: usage.charged(formats.price(cost)),
    failed: usage.unbilled,
    canceled: usage.unbilled,
  };
  return (
    <>
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center justify-between gap-2">
          <span className="tabular text-title font-semibold">{verdict[status]}</span>
          <RequestStatus status={status} code={null} />
        </p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <TraceLink traceId={record.trace_id} />
          {record.user.id === viewer.id && (
            <Link to={paths.usageRecord(record.trace_id)} className="text-label">
              {usage.openUsage}
            </Link>
          )}
        </p>
      </div>
      {code && (
        <Notice tone={status === 'failed' ? 'bad' : 'accent'} title={codes[code]}>
          <p>{advice[code]}</p>
          <p className="flex flex-wrap gap-x-4">
            <code translate="no">{code}</code>
            {code === 'model_unavailable' && model !== null && (
              <Link to={paths.model(model)}>{t.mend}</Link>
            )}
          </p>
        </Notice>
      )}
    </>
  );
}
