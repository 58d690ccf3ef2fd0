import type { LogDetail } from '../../../../shared/console/admin-log.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { paths } from '../../../paths.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Link } from '../../../ui/link.tsx';
import { Time } from '../../../ui/time.tsx';
import { ModelLink } from '../model-link.tsx';
import { UpstreamLink } from '../upstream-link.tsx';

export function RecordFacts({ record }: { record: LogDetail }) {
  const t = useText(adminLogText);
  const usage = useText(usageText);
  const words = useText(requestText);
  const formats = useFormats();
  const { user, model, api_key: key, duration_ms: duration, http_status: http } = record;
  const {
    images,
    images_requested: asked,
    upstream,
    upstream_request_id: upstreamRequest,
  } = record;
  return (
    <Facts
      facts={[
        {
          label: t.user,
          value: (
            <Link to={paths.user(user.id)} translate="no">
              {user.email ?? user.id}
            </Link>
          ),
        },
        { label: usage.started, value: <Time at={record.started_at} look="full" /> },
        {
          label: usage.ended,
          value: record.ended_at && <Time at={record.ended_at} look="full" />,
        },
        { label: usage.duration, value: duration === null ? null : formats.duration(duration) },
        {
          label: usage.model,
          value: model === null ? words.noModel : <ModelLink id={model} />,
        },
        { label: usage.operation, value: words.operations[record.operation] },
        {
          label: usage.key,
          value: key && (key.kind === 'playground' ? words.playground : key.name),
        },
        { label: usage.requestsColumn, value: formats.number(record.requests) },
        { label: usage.images, value: asked === 0 ? null : usage.delivered(images, asked) },
        { label: t.httpStatus, value: http },
        { label: t.upstream, value: upstream && <UpstreamLink name={upstream} /> },
        {
          label: t.upstreamRequest,
          value: upstreamRequest && (
            <code className="text-label break-all" translate="no">
              {upstreamRequest}
            </code>
          ),
        },
      ]}
    />
  );
}
