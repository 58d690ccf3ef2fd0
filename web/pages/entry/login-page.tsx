import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { safeNextPath } from '../../../shared/console/next-path.ts';
import { bootstrapQuery, useBootstrap } from '../../api/bootstrap.ts';
import { pageUser } from '../../api/page-user.ts';
import { goToIssuer } from '../../api/sign-in.ts';
import { entryText } from '../../i18n/entry-text.ts';
import { useText } from '../../i18n/text.ts';
import { text, useSearchState } from '../../lib/search-state.ts';
import { EntryPage } from '../../parts/entry-page.tsx';
import { SignInForm } from '../../parts/sign-in-form.tsx';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';

const search = { next: text, problem: text, from: text };

export function LoginPage() {
  const t = useText(entryText).signIn;
  const [{ next, problem, from }] = useSearchState(search);
  const { installation } = useBootstrap();
  // The address may name anything, such as what every object has.
  const problems = new Map(Object.entries(t.problems));
  const goOn = useGoOn(next);
  const [isRecovered, setRecovered] = useState(false);
  return (
    <EntryPage
      title={t.title}
      footer={
        !isRecovered && (
          <>
            <Link to={paths.reset()}>{t.forgot}</Link>
            {installation.registration === 'open' && (
              <Link to={paths.register()}>{t.register}</Link>
            )}
          </>
        )
      }
    >
      {from === 'setup' && <Notice>{t.isSetUp}</Notice>}
      {problem && <Notice tone="bad">{problems.get(problem) ?? t.problems.unavailable}</Notice>}
      <SignInForm
        onIssuer={() => goToIssuer({ next })}
        onRecovered={() => setRecovered(true)}
        onSignedIn={goOn}
      />
    </EntryPage>
  );
}

/** To the page that was wanted, as whoever is signed in now. */
export function useGoOn(next?: string): () => void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { user: before } = useBootstrap();
  return () => {
    // Nothing that was read or written as somebody else stays.
    if (before || pageUser() !== null) return window.location.assign(safeNextPath(next));
    const go = async () => {
      await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 });
      await navigate({ href: safeNextPath(next) });
    };
    return void go();
  };
}
