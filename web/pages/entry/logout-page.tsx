import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { bootstrapQuery } from '../../api/bootstrap.ts';
import { signOut } from '../../api/entry.ts';
import { tellSession } from '../../api/session-news.ts';
import { entryText } from '../../i18n/entry-text.ts';
import { useText } from '../../i18n/text.ts';
import { EntryPage } from '../../parts/entry-page.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { hrefOf, paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { forgetKeptDraft } from '../user/playground/draft/kept-draft.ts';

/** Signs out by being opened. */
export function LogoutPage() {
  const t = useText(entryText).signedOut;
  const queryClient = useQueryClient();
  const [state, setState] = useState<'going' | 'gone' | ApiError>('going');
  useEffect(() => {
    void leave(queryClient).then(setState);
  }, [queryClient]);
  const isFailed = typeof state === 'object';
  const title = state === 'gone' ? t.title : isFailed ? t.failed : t.going;
  return (
    // What came of it is a page of its own, also to the focus.
    <EntryPage key={title} title={title}>
      {state === 'going' && <Skeleton className="h-10" />}
      {state === 'gone' && (
        // The page is loaded anew: drafts, searches and requests of one user are not the next one's.
        <a href={hrefOf(paths.login())} className={buttonClass('primary', 'large')}>
          {t.again}
        </a>
      )}
      {isFailed && (
        <ErrorState
          error={state}
          title={t.failedText}
          onRetry={() => {
            setState('going');
            void leave(queryClient).then(setState);
          }}
        />
      )}
    </EntryPage>
  );
}

/** What came of it. */
async function leave(queryClient: QueryClient): Promise<'gone' | ApiError> {
  forgetKeptDraft();
  try {
    await signOut();
    tellSession(null);
    // Nothing of one user stays for the next.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bootstrap' });
    // Where it is not answered, nobody is signed in all the same.
    await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 }).catch(() => {});
    return 'gone';
  } catch (thrown) {
    const error = toApiError(thrown);
    return error.code === 'unauthorized' ? 'gone' : error;
  }
}
