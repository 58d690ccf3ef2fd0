import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { upstreamsQuery } from '../../../api/admin-upstreams.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Page } from '../../../parts/page.tsx';
import { useListKeys } from '../../../parts/use-list-keys.ts';
import { paths } from '../../../paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { icon } from '../../../ui/icon.ts';
import { Link } from '../../../ui/link.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { ReadinessBanner } from '../readiness-banner.tsx';
import { UpstreamTable } from './upstream-table.tsx';

/** Who makes the images, and how they do. */
export function UpstreamsPage() {
  const t = useText(adminUpstreamsText);
  const { data, error, refetch } = useQuery(upstreamsQuery);
  useListKeys();
  const add = (look: 'primary' | 'secondary') => (
    <Link to={paths.newUpstream()} look="plain" className={buttonClass(look)}>
      <Plus {...icon} /> {t.add}
    </Link>
  );
  return (
    <Page
      title={t.title}
      actions={
        <>
          <Link
            to={paths.log({ group: 'upstream' })}
            look="plain"
            className={buttonClass('secondary')}
          >
            {t.compare}
          </Link>
          {add('secondary')}
        </>
      }
    >
      <ReadinessBanner />
      {error && <ErrorState error={error} title={t.listFailed} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows />}
      {data && (
        <UpstreamTable
          upstreams={data.upstreams}
          empty={<EmptyState title={t.empty} action={add('primary')} />}
        />
      )}
    </Page>
  );
}
