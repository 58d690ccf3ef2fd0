import { classes } from './classes.ts';
import { Link, type LinkTarget } from './link.tsx';

export interface Tab {
  id: string;
  label: string;
  to: LinkTarget;
}

/** Parts of a page, each with an address of its own. */
export function Tabs({
  tabs,
  current,
  label,
}: {
  tabs: readonly Tab[];
  current: string;
  label: string;
}) {
  return (
    <nav aria-label={label} className="border-b border-line">
      <ul className="-mb-px flex flex-wrap gap-x-5">
        {tabs.map(({ id, label: name, to }) => (
          <li key={id}>
            <Link
              to={to}
              look="plain"
              aria-current={id === current ? 'page' : undefined}
              className={classes(
                'fade flex min-h-9 items-center border-b-2 whitespace-nowrap pointer-coarse:min-h-11',
                id === current
                  ? 'border-ink font-semibold text-text'
                  : 'border-transparent text-text-2 hover:text-text',
              )}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
