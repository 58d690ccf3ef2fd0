import { uiText } from '../i18n/ui-text.ts';
import { useText } from '../i18n/text.ts';
import { CopyButton } from './copy-button.tsx';
import { Link, type LinkTarget } from './link.tsx';

export interface TraceIdProps {
  traceId: string;
  /** Without it, plain text. */
  to?: LinkTarget;
}

const firstShown = 7;
const lastShown = 4;

/** In full where there is room; its beginning and end on a phone. */
export function TraceId({ traceId, to }: TraceIdProps) {
  const t = useText(uiText);
  return (
    <span className="inline-flex max-w-full items-center gap-1 font-mono text-label" translate="no">
      {to ? (
        <Link to={to} aria-label={`${t.traceId} ${traceId}`}>
          <Shown traceId={traceId} />
        </Link>
      ) : (
        <Shown traceId={traceId} />
      )}
      <CopyButton text={traceId} label={t.copyTraceId(traceId)} />
    </span>
  );
}

function Shown({ traceId }: { traceId: string }) {
  if (traceId.length <= firstShown + lastShown) return <>{traceId}</>;
  return (
    <>
      <span className="max-sm:hidden">{traceId}</span>
      <span className="sm:hidden" aria-hidden>
        {traceId.slice(0, firstShown)}…{traceId.slice(-lastShown)}
      </span>
    </>
  );
}
