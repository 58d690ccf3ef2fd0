import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { LogDetail } from '../../../../shared/console/admin-log.ts';
import { logRecordQuery } from '../../../api/admin-log.ts';
import { useUser } from '../../../api/bootstrap.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { DetailPanel } from '../../../parts/detail-panel.tsx';
import { MissingOr } from '../../../parts/missing.tsx';
import { paths } from '../../../paths.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { RequestForm } from '../../user/usage/request-form.tsx';
import { RequestTiming } from '../../user/usage/request-timing.tsx';
import { AttemptTable } from './attempt-table.tsx';
import { logSearch } from './log-state.ts';
import { RecordFacts } from './record-facts.tsx';
import { RecordHead } from './record-head.tsx';
import { RecordMoney } from './record-money.tsx';
import { RefundButton } from './refund-button.tsx';

/** One request of anybody: how it was routed, what it cost, what became of it. */
export function LogRecordPage() {
  const t = useText(adminLogText);
  const [state] = useSearchState(logSearch);
  const { rights } = useUser();
  // The route has this parameter.
  const { traceId = '' }: { traceId?: string } = useParams({ strict: false });
  const record = useQuery(logRecordQuery(traceId));
  const { data } = record;
  const list = paths.log(state);
  return (
    <DetailPanel
      title={t.recordTitle}
      list={list}
      listLabel={t.title}
      rowKey={traceId}
      actions={
        // Of another request, another charge is returned.
        data && rights.includes('admin.users') && <RefundButton key={data.trace_id} record={data} />
      }
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
      {data && <Record record={data} />}
    </DetailPanel>
  );
}

function Record({ record }: { record: LogDetail }) {
  const t = useText(adminLogText);
  return (
    <>
      <RecordHead record={record} />
      <RecordFacts record={record} />
      <AttemptTable record={record} />
      <RecordMoney record={record} />
      <RequestForm record={record} />
      <RequestTiming record={record} />
      <p className="border-t border-line pt-4 text-label text-text-2">{t.notStored}</p>
    </>
  );
}
