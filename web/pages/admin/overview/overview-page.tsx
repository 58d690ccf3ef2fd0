import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../../../api/admin-overview.ts';
import { adminOverviewText } from '../../../i18n/admin-overview-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Page } from '../../../parts/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { AttentionList } from './attention-list.tsx';
import { CodeList } from './code-list.tsx';
import { DayNumbers } from './day-numbers.tsx';
import { ReadinessList } from './readiness-list.tsx';
import { UpstreamHealth } from './upstream-health.tsx';

/** How does the service do, and what does it still lack? */
export function OverviewPage() {
  const t = useText(adminOverviewText);
  return (
    <Page title={t.title}>
      <ReadinessList />
      <LastDay />
    </Page>
  );
}

function LastDay() {
  const t = useText(adminOverviewText);
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <>
      {error && <ErrorState error={error} title={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-18.5 rounded-control" />}
      {data && (
        <>
          <DayNumbers overview={data} />
          <AttentionList attention={data.attention} />
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <UpstreamHealth upstreams={data.upstreams} />
            <CodeList overview={data} />
          </div>
        </>
      )}
    </>
  );
}
