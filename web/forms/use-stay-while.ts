import { useBlocker } from '@tanstack/react-router';

/** Nothing leads away from the page while a secret is made: it is shown once, to whoever is still there. */
export function useStayWhile(isBusy: boolean): void {
  useBlocker({ shouldBlockFn: () => isBusy, enableBeforeUnload: () => isBusy });
}
