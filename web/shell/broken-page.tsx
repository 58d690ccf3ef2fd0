import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { toApiError, unreachable } from '../api/api-error.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import {
  isChunkError,
  isServiceThere,
  noteNewVersion,
  useIsNewVersion,
} from '../lib/new-version.ts';
import { ErrorState } from '../parts/error-state.tsx';
import { Button } from '../ui/button.tsx';

/** Instead of a page that failed altogether, or whose files are gone after an upgrade. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const t = useText(shellText);
  const router = useRouter();
  const isMissing = isChunkError(error);
  const isNewer = useIsNewVersion();
  useEffect(() => {
    if (isMissing) void noteNewVersion();
  }, [isMissing]);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  // What React could not load once, it does not try again.
  const reload = async () => {
    if (await isServiceThere()) window.location.reload();
  };
  return (
    <main className="grid max-w-150 content-start justify-items-start gap-4 p-6">
      {isMissing && isNewer ? (
        <>
          <h1 className="text-title">{t.newVersion.title}</h1>
          <p>{t.newVersion.text}</p>
          <Button look="primary" onClick={() => window.location.reload()}>
            {t.newVersion.reload}
          </Button>
        </>
      ) : (
        <>
          <h1 className="text-title">{t.broken.title}</h1>
          <ErrorState
            error={isMissing ? unreachable() : toApiError(error)}
            title={t.broken.text}
            onRetry={isMissing ? () => void reload() : retry}
          />
        </>
      )}
    </main>
  );
}
