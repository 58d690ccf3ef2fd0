import { useBlocker } from '@tanstack/react-router';

/** Asks before changes are lost; `question` stands in the dialog of the console, or the browser's. */
export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
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
