import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { KeyList } from '../../../../shared/console/keys.ts';
import { keyListQuery } from '../../../api/keys.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { fromList, ListWithDetail } from '../../../parts/detail-panel.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { icon } from '../../../ui/icon.ts';
import { Link } from '../../../ui/link.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { KeyTable } from './key-table.tsx';
import { keysSearch } from './keys-state.ts';

/** One's own API keys. */
export function KeysPage() {
  const t = useText(keysText);
  return (
    <ListWithDetail>
      <Page title={t.title}>
        <Keys />
      </Page>
    </ListWithDetail>
  );
}

function Keys() {
  const t = useText(keysText);
  const [{ cursor }] = useSearchState(keysSearch);
  const { zone } = useFormats();
  const list = useQuery(keyListQuery(zone, cursor));
  const { data, error, refetch } = list;
  return (
    <>
      {error && <ErrorState error={error} title={t.listFailed} onRetry={() => void refetch()} />}
      {list.isPending && <SkeletonRows />}
      {/* A secret that is shown this once stands in the list: it stays when that cannot be asked for again. */}
      {data && <List list={data} isStale={list.isPlaceholderData} />}
    </>
  );
}

function List({ list: { items, older }, isStale }: { list: KeyList; isStale: boolean }) {
  const t = useText(keysText);
  const [{ cursor }] = useSearchState(keysSearch);
  if (items.length === 0) {
    return (
      <EmptyList>
        <EmptyState title={t.emptyTitle} action={<CreateLink />} />
      </EmptyList>
    );
  }
  return (
    <>
      <div className="flex justify-end">
        <CreateLink />
      </div>
      <KeyTable keys={items} isStale={isStale} />
      {(older !== null || cursor !== undefined) && (
        <Pager
          newer={cursor === undefined ? null : { first: paths.keys() }}
          older={older === null ? null : paths.keys({ cursor: older })}
        />
      )}
    </>
  );
}

function CreateLink() {
  const t = useText(keysText);
  const [state] = useSearchState(keysSearch);
  return (
    <Link to={paths.newKey(state)} state={fromList} look="plain" className={buttonClass('primary')}>
      <Plus {...icon} />
      {t.create}
    </Link>
  );
}
