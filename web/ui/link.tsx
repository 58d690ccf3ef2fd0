import { Link as RouterLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './classes.ts';

/** Where a link leads; `web/paths.ts` makes them. */
export interface LinkTarget {
  path: string;
  search?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface LinkProps
  extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'> {
  to: LinkTarget;
  /** `text` stands within a sentence; `plain` looks like what it wraps. */
  look?: 'text' | 'plain';
  /** Replaces the entry in the history: for filters and tabs. */
  replace?: boolean;
  /** Handed to what opens over this page, which stays where it is scrolled to; gone after a reload. */
  state?: Readonly<Record<string, unknown>>;
  ref?: Ref<HTMLAnchorElement>;
  children?: ReactNode;
}

/** The router says of a link that it leads here (`aria-current`): not of one to a page above, or with less in its search. */
const here = { exact: true } as const;

/** A link to a page of the console. */
export function Link({ to, look = 'text', replace = false, state, className, ...rest }: LinkProps) {
  return (
    <RouterLink
      to={to.path}
      // The pages' routes check what they read from it.
      search={to.search ?? {}}
      replace={replace}
      activeOptions={here}
      {...(state ? { state: { ...state }, resetScroll: false } : {})}
      className={classes(look === 'text' && linkClass, className)}
      {...rest}
    />
  );
}

export const linkClass =
  'hit text-accent underline decoration-1 underline-offset-3 decoration-current/40 hover:decoration-current fade rounded-small';
