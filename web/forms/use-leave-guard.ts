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
}

/** Asks before changes are lost; the question stands in the dialog of the console, or the browser's. */
export function useLeaveGuard(
  isDirty: boolean,
  { isKept = () => false }: LeaveGuardOptions = {},
): LeaveGuard {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !isKept(current, next),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return {
    isAsking: blocker.status === 'blocked',
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
  };
}

export interface LeaveGuard {
  isAsking: boolean;
  stay: () => void;
  leave: () => void;
}
