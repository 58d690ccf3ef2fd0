import { useLocation, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { type RawSearch, text, useSearchState } from '../lib/search-state.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Link } from '../ui/link.tsx';

/** A list that has no rows: because there are none, unless its address names a place where none are. */
export function EmptyList({ children }: { children: ReactNode }) {
  const [{ cursor }] = useSearchState(placeSearch);
  return cursor === undefined ? children : <LostPlace />;
}

const placeSearch = { cursor: text };

/** In the place of a list whose address names a place that it does not have: the way to its beginning. */
export function LostPlace() {
  const t = useText(uiText);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // Our router reads addresses by `readAddress` only, which yields no other values.
  const { cursor: _lost, ...search } = useSearch({ strict: false }) as RawSearch;
  return (
    <EmptyState
      title={t.lostPlace}
      action={
        <Link
          to={{ path, search }}
          replace
          look="plain"
          className={buttonClass('secondary')}
          // This link goes away.
          onClick={() => document.querySelector<HTMLElement>('main')?.focus()}
        >
          {t.firstPage}
        </Link>
      }
    />
  );
}
