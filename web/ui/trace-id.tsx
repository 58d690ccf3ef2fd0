import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { classes } from './classes.ts';
import { CopyButton } from './copy-button.tsx';
import { Link, type LinkTarget } from './link.tsx';

export interface TraceIdProps {
  traceId: string;
  /** Without it, plain text. */
  to?: LinkTarget;
  /** Handed to the page that it leads to. */
  state?: Readonly<Record<string, unknown>>;
  /** In a column: its middle gives way where the table has not enough room. */
  isFluid?: boolean;
}

const firstShown = 7;
const lastShown = 4;

/** In full where there is room; its beginning and end on a phone. */
export function TraceId({ traceId, to, state, isFluid = false }: TraceIdProps) {
  const t = useText(uiText);
  const shown = isFluid ? <Fluid traceId={traceId} /> : <Shown traceId={traceId} />;
  return (
    <span
      className={classes(
        'max-w-full items-center gap-1 font-mono text-label',
        isFluid ? 'flex min-w-28' : 'inline-flex',
      )}
      translate="no"
    >
      {to ? (
        <Link
          to={to}
          {...(state ? { state } : {})}
          aria-label={`${t.traceId} ${traceId}`}
          className={isFluid ? 'min-w-0' : 'inline-flex min-h-6 items-center'}
        >
          {shown}
        </Link>
      ) : (
        shown
      )}
      <CopyButton text={traceId} label={t.copyTraceId(traceId)} />
    </span>
  );
}

/** As much of its beginning as there is room for, and its end. */
function Fluid({ traceId }: { traceId: string }) {
  return (
    <span className="flex min-w-0" title={traceId}>
      {/* Of whole characters: a part of one would be a gap before the end. */}
      <span className="max-w-[round(down,100%-4ch,1ch)] truncate">
        {traceId.slice(0, -lastShown)}
      </span>
      <span>{traceId.slice(-lastShown)}</span>
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
