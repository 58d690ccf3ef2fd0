import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment, Suspense } from 'react';
import { type UpstreamDetail, upstreamQuery } from '../../../api/admin-upstreams.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { MissingOr } from '../../../parts/missing.tsx';
import { Page } from '../../../parts/page.tsx';
import { TabLinks } from '../../../parts/tab-links.tsx';
import { paths } from '../../../paths.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { ActivityTab } from './activity-tab.tsx';
import { ConnectionTab } from './connection/connection-tab.tsx';
import { ModelListTab } from './models/model-list-tab.tsx';
import { UpstreamActions } from './upstream-actions.tsx';
import { UpstreamFacts } from './upstream-facts.tsx';
import { upstreamSearch, upstreamTabs } from './upstream-state.ts';

/** Seldom looked at. */
const TestTab = lazyPart(async () => (await import('./trial/trial-tab.tsx')).TestTab);

/** One upstream: how it is reached, what it offers, whether it works. */
export function UpstreamPage() {
  const t = useText(adminUpstreamsText);
  // The route has this parameter.
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const upstream = useQuery(upstreamQuery(id));
  const [{ tab }] = useSearchState(upstreamSearch);
  const list = { to: paths.upstreams(), label: t.title };
  const { data } = upstream;
  return (
    // Each upstream is a page of its own, also to the focus.
    <Page key={id} title={data?.name ?? id} part={t.tabs[tab]} back={list}>
      {upstream.isPending && <SkeletonRows />}
      {upstream.error && !data && (
        <MissingOr id={id} list={list} title={t.upstreamFailed} query={upstream} />
      )}
      {/* Another upstream has other forms. */}
      {data && (
        <Fragment key={data.id}>
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
            <UpstreamFacts upstream={data} />
            <UpstreamActions upstream={data} />
          </div>
          <Tabs upstream={data} />
        </Fragment>
      )}
    </Page>
  );
}

function Tabs({ upstream }: { upstream: UpstreamDetail }) {
  const t = useText(adminUpstreamsText);
  const [{ tab }] = useSearchState(upstreamSearch);
  const { id } = upstream;
  return (
    <>
      <TabLinks
        label={t.parts}
        value={tab}
        tabs={upstreamTabs.map((value) => ({
          value,
          label: t.tabs[value],
          to: paths.upstream(id, value === 'connection' ? {} : { tab: value }),
        }))}
      />
      {tab === 'connection' && <ConnectionTab upstream={upstream} />}
      {tab === 'models' && <ModelListTab upstream={upstream} />}
      {tab === 'test' && (
        <Suspense fallback={<SkeletonRows />}>
          <TestTab upstream={upstream} />
        </Suspense>
      )}
      {tab === 'activity' && <ActivityTab upstreamId={id} />}
    </>
  );
}
