import { useBlocker } from '@tanstack/react-router';

/**
 * Keeps the user on the page while it is busy, for example making a secret: that is shown only once, and would be lost
 * with the page.
 */
export function useStayWhile(isBusy: boolean): void {
  useBlocker({ shouldBlockFn: () => isBusy, enableBeforeUnload: () => isBusy });
}
