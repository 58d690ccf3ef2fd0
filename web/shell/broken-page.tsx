import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { toApiError } from '../api/api-error.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { isChunkError, noteNewVersion } from '../lib/new-version.ts';
import { ErrorState } from '../parts/error-state.tsx';
import { Button } from '../ui/button.tsx';

/** Instead of a page that failed altogether, or whose files are gone after an upgrade. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const t = useText(shellText);
  const router = useRouter();
  const isOld = isChunkError(error);
  useEffect(() => {
    if (isOld) noteNewVersion();
  }, [isOld]);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <main className="grid max-w-150 content-start justify-items-start gap-4 p-6">
      {isOld ? (
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
          <ErrorState error={toApiError(error)} title={t.broken.text} onRetry={retry} />
        </>
      )}
    </main>
  );
}
