import { toApiError } from '../api/api-error.ts';
import { useBootstrap } from '../api/bootstrap.ts';
import { fill } from '../i18n/fill.tsx';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import type { Target } from '../paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Link } from '../ui/link.tsx';
import { ErrorState } from './error-state.tsx';

interface Place {
  to: Target;
  label: string;
}

interface MissingProps {
  id: string;
  list: Place;
  /** A request may have been there, and be too old by now. */
  isRequest?: boolean;
}

/** In the place of one thing that is not there, or not the viewer's to see. */
export function Missing({ id, list, isRequest = false }: MissingProps) {
  const t = useText(shellText);
  const { usage_days_kept: daysKept } = useBootstrap().installation;
  return (
    <EmptyState
      title={t.notFound.title}
      action={
        <Link to={list.to} look="plain" className={buttonClass('secondary')}>
          {t.back(list.label)}
        </Link>
      }
    >
      {fill(t.notFound.text, {
        address: (
          <code className="break-words text-text" translate="no">
            {id}
          </code>
        ),
      })}
      {isRequest && daysKept > 0 && <p>{t.notFound.olderRequests(daysKept)}</p>}
    </EmptyState>
  );
}

/** Missing, or what else went wrong. */
export function MissingOr({
  title,
  query,
  ...missing
}: MissingProps & {
  /** What failed: "The request could not be loaded". */
  title: string;
  query: { error: unknown; refetch: () => unknown };
}) {
  const { code } = toApiError(query.error);
  // What the service does not take for an ID is that of nothing either.
  const isOfNothing = code === 'not_found' || code === 'invalid_request_error';
  if (isOfNothing) return <Missing {...missing} />;
  return <ErrorState error={query.error} title={title} onRetry={() => void query.refetch()} />;
}
