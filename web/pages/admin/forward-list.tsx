import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { adminUsersText } from '../../i18n/admin-users-text.ts';
import { useText } from '../../i18n/text.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import type { Target } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** A list that knows of other pages only where the next one begins: its rows, and the ways on. */
export function ForwardList<Data extends { next: string | null }>({
  list,
  failed,
  cursor,
  at,
  children,
}: {
  list: UseQueryResult<Data>;
  /** That it could not be read. */
  failed: string;
  /** Where the page that is shown begins. */
  cursor: string | undefined;
  at: (cursor: string | undefined) => Target;
  children: (data: Data) => ReactNode;
}) {
  const { data, error } = list;
  return (
    <>
      {error && <ErrorState error={error} title={failed} onRetry={() => void list.refetch()} />}
      {list.isPending && <SkeletonRows />}
      {data && (
        <>
          {children(data)}
          <Pager
            first={cursor === undefined ? null : at(undefined)}
            next={data.next === null ? null : at(data.next)}
          />
        </>
      )}
    </>
  );
}

/** The browser's Back goes back. */
function Pager({ first, next }: { first: Target | null; next: Target | null }) {
  const t = useText(adminUsersText);
  if (!first && !next) return null;
  return (
    <nav aria-label={t.pages} className="flex justify-end gap-2">
      {first && (
        <Link to={first} look="plain" className={buttonClass('secondary')}>
          {t.first}
        </Link>
      )}
      {next && (
        <Link to={next} look="plain" className={buttonClass('secondary')}>
          {t.next}
        </Link>
      )}
    </nav>
  );
}
