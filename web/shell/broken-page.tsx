import {
  CatchBoundary,
  type ErrorComponentProps,
  useMatches,
  useRouter,
} from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { toApiError, unreachable } from '../api/api-error.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { onReconnect } from '../lib/connection.ts';
import { isChunkError, isServiceThere, useIsNewVersion, whyUnloaded } from '../lib/new-version.ts';
import { ErrorState } from '../parts/error-state.tsx';
import { Page } from '../parts/page.tsx';
import { Button } from '../ui/button.tsx';

/** Instead of the console that failed altogether. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const { title, content } = useBroken({ error, reset });
  return (
    <main className="grid max-w-150 content-start justify-items-start gap-4 p-6">
      <h1 className="text-title">{title}</h1>
      {content}
    </main>
  );
}

/** What is around a page stays when the page fails: there is a way on to those that can be shown. */
export function PageBoundary({ children }: { children: ReactNode }) {
  // Another page, or the same loaded anew.
  const shown = useMatches({
    select: (matches) =>
      matches.map(({ id, status, updatedAt }) => `${id} ${status} ${updatedAt}`).join(' '),
  });
  return (
    <CatchBoundary getResetKey={() => shown} errorComponent={BrokenWithin}>
      {children}
    </CatchBoundary>
  );
}

function BrokenWithin({ error, reset }: ErrorComponentProps) {
  const { title, content } = useBroken({ error, reset });
  return (
    <Page title={title} width="reading">
      {content}
    </Page>
  );
}

/** Of a page that failed, or whose files are gone after an upgrade. */
function useBroken({ error, reset }: ErrorComponentProps): { title: string; content: ReactNode } {
  const t = useText(shellText);
  const router = useRouter();
  const isMissing = isChunkError(error);
  const isNewer = useIsNewVersion();
  const shown = isMissing ? unreachable() : toApiError(error);
  const isOutOfReach = shown.code === 'unreachable';
  // What React could not load once, it does not try again.
  const reload = async () => {
    if (await isServiceThere()) window.location.reload();
  };
  const retry = () => {
    if (isMissing) return void reload();
    reset();
    return void router.invalidate();
  };
  useEffect(() => {
    if (isMissing) void whyUnloaded(error);
  }, [isMissing, error]);
  useEffect(() => (isOutOfReach ? onReconnect(retry) : undefined));
  if (isMissing && isNewer) {
    const content = (
      <>
        <p>{t.newVersion.text}</p>
        <Button look="primary" onClick={() => window.location.reload()}>
          {t.newVersion.reload}
        </Button>
      </>
    );
    return { title: t.newVersion.title, content };
  }
  const content = (
    <ErrorState
      error={shown}
      title={isOutOfReach ? t.broken.unloaded : t.broken.text}
      onRetry={retry}
    />
  );
  return { title: t.broken.title, content };
}
