import type { ApiError } from '../api/api-error.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { Notice } from '../ui/notice.tsx';
import { TraceLink } from './trace-link.tsx';

/** What went wrong, in the service's words where it has any, with the trace ID. */
export function ErrorNote({ error, title }: { error: ApiError; title?: string }) {
  return (
    <Notice tone="bad" {...(title ? { title } : {})}>
      <ErrorWords error={error} />
    </Notice>
  );
}

export function ErrorWords({ error }: { error: ApiError }) {
  const t = useText(shellText);
  const own: Readonly<Record<string, string>> = t.errors;
  return (
    <>
      <p>{own[error.code] ?? error.message}</p>
      {error.traceId && (
        <p className="flex flex-wrap items-center gap-x-2">
          {t.traceIdIs} <TraceLink traceId={error.traceId} />
        </p>
      )}
    </>
  );
}
