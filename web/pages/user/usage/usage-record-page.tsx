import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { UsageDetail } from '../../../../shared/console/usage.ts';
import { usageRecordQuery } from '../../../api/usage.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { DetailPanel } from '../../../parts/detail-panel.tsx';
import { MissingOr } from '../../../parts/missing.tsx';
import { paths } from '../../../paths.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { RequestBilling } from './request-billing.tsx';
import { RequestFacts, RequestHead } from './request-facts.tsx';
import { RequestForm } from './request-form.tsx';
import { RequestTiming } from './request-timing.tsx';
import { SupportText } from './support-text.tsx';
import { usageSearch } from './usage-state.ts';

/** One request: what was asked, what was used, what it cost. */
export function UsageRecordPage() {
  const t = useText(usageText);
  const [state] = useSearchState(usageSearch);
  // The route has this parameter.
  const { traceId = '' }: { traceId?: string } = useParams({ strict: false });
  const record = useQuery(usageRecordQuery(traceId));
  const list = paths.usage(state);
  return (
    <DetailPanel
      title={t.requestTitle}
      list={list}
      listLabel={t.title}
      rowKey={traceId}
      {...(record.data ? { actions: <SupportText record={record.data} /> } : {})}
    >
      {record.isPending && <SkeletonRows />}
      {record.error && (
        <MissingOr
          id={traceId}
          list={{ to: list, label: t.title }}
          title={t.recordFailed}
          query={record}
          isRequest
        />
      )}
      {record.data && <RequestRecord record={record.data} />}
    </DetailPanel>
  );
}

function RequestRecord({ record }: { record: UsageDetail }) {
  const t = useText(usageText);
  return (
    <>
      <RequestHead record={record} />
      <RequestFacts record={record} />
      <RequestBilling record={record} />
      <RequestForm record={record} />
      <RequestTiming record={record} />
      <p className="border-t border-line pt-4 text-label text-text-2">{t.notStored}</p>
    </>
  );
}
