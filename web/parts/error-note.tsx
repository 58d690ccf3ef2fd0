import type { ApiError } from '../api/api-error.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { Notice } from '../ui/notice.tsx';
import { TraceId } from '../ui/trace-id.tsx';
import { useErrorWords } from './use-error-words.ts';

/** What went wrong, in the service's words where it has any, with the trace ID. */
export function ErrorNote({ error, title }: { error: ApiError; title?: string }) {
  return (
    <Notice tone="bad" {...(title ? { title } : {})}>
      <ErrorWords error={error} />
    </Notice>
  );
}

/** The trace ID is for whoever reads the service's log: only those of image requests have a page. */
export function ErrorWords({ error }: { error: ApiError }) {
  const t = useText(shellText);
  const wordsOf = useErrorWords();
  return (
    <>
      <p>{wordsOf(error)}</p>
      {error.traceId && (
        <p className="flex flex-wrap items-center gap-x-2">
          {t.traceIdIs} <TraceId traceId={error.traceId} />
        </p>
      )}
    </>
  );
}
