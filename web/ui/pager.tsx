import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { buttonClass } from './button.tsx';
import { Link, type LinkTarget } from './link.tsx';

export interface PagerProps {
  /** Null where there is nothing more that way; `first` where a list knows nothing before but its beginning. */
  newer: LinkTarget | { first: LinkTarget } | null;
  older: LinkTarget | null;
  /** How many rows match, when the server can say. */
  total?: { count: number; isExact: boolean } | null;
}

/** Newer and older: real links, so that they can be opened, shared and gone back from. */
export function Pager({ newer, older, total }: PagerProps) {
  const t = useText(uiText);
  return (
    <nav aria-label={t.pages} className="flex flex-wrap items-center justify-between gap-3">
      <span className="tabular text-label text-text-2">
        {total ? t.total(total.count, total.isExact) : ''}
      </span>
      <span className="flex gap-2">
        {newer && 'first' in newer ? (
          <Step to={newer.first} label={t.first} />
        ) : (
          <Step to={newer} label={t.newer} />
        )}
        <Step to={older} label={t.older} />
      </span>
    </nav>
  );
}

function Step({ to, label }: { to: LinkTarget | null; label: string }) {
  if (to) {
    return (
      <Link to={to} look="plain" className={buttonClass('secondary')}>
        {label}
      </Link>
    );
  }
  return (
    <span aria-disabled className={`${buttonClass('secondary')} text-text-3`}>
      {label}
    </span>
  );
}
