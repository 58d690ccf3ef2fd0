import { useBlocker } from '@tanstack/react-router';
import type { RawSearch } from '../lib/search-state.ts';

/** An address that is left, or where it leads to. */
export interface Place {
  readonly pathname: string;
  readonly search: RawSearch;
}

export interface LeaveGuardOptions {
  /** Whether what was changed stays on the way from one place to the other; by default it never does. */
  isKept?: (from: Place, to: Place) => boolean;
  /** Whether it asks also whoever has just said to leave other changes: more is lost than those. */
  asksApart?: boolean;
}

/** Whether somebody says now that changes may be lost, which goes for all forms of the page. */
let isLeaving = false;

/** Asks before changes are lost; the question stands in the dialog of the console, or the browser's. */
export function useLeaveGuard(
  isDirty: boolean,
  { isKept = () => false, asksApart = false }: LeaveGuardOptions = {},
): LeaveGuard {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && (asksApart || !isLeaving) && !isSamePlace(current, next) && !isKept(current, next),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return {
    isAsking: blocker.status === 'blocked',
    stay: () => blocker.reset?.(),
    leave: () => {
      if (!asksApart) noteLeaving();
      blocker.proceed?.();
    },
  };
}

/** What leads to a part of the page, such as its content, leaves nothing. */
function isSamePlace(from: Place, to: Place): boolean {
  return from.pathname === to.pathname && JSON.stringify(from.search) === JSON.stringify(to.search);
}

/** The router asks the other guards before anything else happens in the page. */
function noteLeaving(): void {
  isLeaving = true;
  setTimeout(() => {
    isLeaving = false;
  });
}

export interface LeaveGuard {
  isAsking: boolean;
  stay: () => void;
  leave: () => void;
}
