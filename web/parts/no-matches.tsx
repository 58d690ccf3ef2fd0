import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { paths } from '../paths.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { ActiveFilter } from '../ui/filters.tsx';
import { keepFocusAtFilters } from '../ui/focus-first-filter.ts';
import { Link } from '../ui/link.tsx';

/** In the place of a list in which nothing matches: what is set, and the way back to everything. */
export function NoMatches({
  title,
  active,
  onClear,
  traceId,
}: {
  title: string;
  active: readonly ActiveFilter[];
  onClear: () => void;
  /** That was looked for, and may be of other days. */
  traceId?: string | undefined;
}) {
  const t = useText(uiText);
  return (
    <EmptyState
      title={title}
      action={
        <>
          {traceId !== undefined && (
            <Link to={paths.trace(traceId)} look="plain" className={buttonClass('secondary')}>
              {t.traceInAllDays}
            </Link>
          )}
          <Button
            onClick={(event) => {
              keepFocusAtFilters(event);
              onClear();
            }}
          >
            {t.clearFilters}
          </Button>
        </>
      }
    >
      {active.length > 0 && (
        <ul aria-label={t.filters} className="flex flex-wrap justify-center gap-x-4">
          {active.map(({ label }) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )}
    </EmptyState>
  );
}
