import { useQuery } from '@tanstack/react-query';
import { auditQuery } from '../../../api/admin-audit.ts';
import { adminAuditText } from '../../../i18n/admin-audit-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { CsvLink } from '../../../parts/csv-link.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { NoMatches } from '../../../parts/no-matches.tsx';
import { Page } from '../../../parts/page.tsx';
import { RangeNote } from '../../../parts/range-note.tsx';
import { paths } from '../../../paths.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditQueryOf, auditSearch, isFiltered, noFilters } from './audit-state.ts';
import { AuditTable } from './audit-table.tsx';
import { useActiveFilters } from './use-active-filters.ts';

/** Who changed what, when and why. */
export function AuditPage() {
  const t = useText(adminAuditText);
  return (
    <Page title={t.title}>
      <Audit />
    </Page>
  );
}

function Audit() {
  const t = useText(adminAuditText);
  const { zone } = useFormats();
  const [state] = useSearchState(auditSearch);
  const query = auditQueryOf(state, zone);
  const list = useQuery(auditQuery({ ...query, cursor: state.cursor }));
  const { data } = list;
  const at = (cursor: string | null) =>
    cursor === null ? null : paths.audit({ ...state, cursor });
  return (
    <>
      <AuditFilters
        list={data}
        end={data && <CsvLink path="/admin/audit.csv" query={query} rows={data.count} />}
      />
      {data && <RangeNote range={data.range} />}
      {list.error && (
        <ErrorState error={list.error} title={t.listFailed} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <SkeletonRows />}
      {data && (
        <AuditTable
          list={data}
          isStale={list.isPlaceholderData}
          empty={
            <EmptyList>
              <NoChanges />
            </EmptyList>
          }
        />
      )}
      {data && data.items.length > 0 && (
        <Pager
          newer={at(data.newer)}
          older={at(data.older)}
          total={{ count: data.count, isExact: true }}
        />
      )}
    </>
  );
}

function NoChanges() {
  const t = useText(adminAuditText);
  const [state, change] = useSearchState(auditSearch);
  const active = useActiveFilters(change);
  if (!isFiltered(state)) return <EmptyState title={t.empty} />;
  return <NoMatches title={t.nothing} active={active} onClear={() => change(noFilters)} />;
}
