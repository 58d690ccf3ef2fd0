import type { ReactNode } from 'react';
import type { Target } from '../paths.ts';
import { classes } from '../ui/classes.ts';
import { Link } from '../ui/link.tsx';

export interface TabLinksProps<T extends string> {
  label: string;
  value: T;
  tabs: readonly { value: T; label: string; to: Target }[];
  /** Buttons for the page as a whole, at the end of the row. */
  actions?: ReactNode;
}

/** The parts of a page, each with an address of its own: real links, so that they can be shared. */
export function TabLinks<T extends string>({ label, value, tabs, actions }: TabLinksProps<T>) {
  return (
    <div className="flex flex-wrap-reverse items-end justify-between gap-x-6 border-b border-line">
      <nav aria-label={label} className="-mb-px min-w-0">
        <ul className="flex flex-wrap gap-x-1">
          {tabs.map((tab) => (
            <li key={tab.value}>
              <Link
                to={tab.to}
                look="plain"
                aria-current={tab.value === value ? 'page' : undefined}
                className={classes(
                  'fade flex min-h-9 items-center rounded-t-control border-b-2 px-3 pointer-coarse:min-h-11',
                  tab.value === value
                    ? 'border-ink font-semibold text-text'
                    : 'border-transparent text-text-2 hover:border-line-strong hover:text-text',
                )}
              >
                <span className="semibold-room" data-words={tab.label}>
                  {tab.label}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {actions && <div className="flex flex-wrap gap-2 pb-2">{actions}</div>}
    </div>
  );
}
