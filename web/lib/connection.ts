/** Whether the service can be reached, as far as the browser knows. */
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Tells each time that the browser has a connection again, until what it answers with is called. */
export function onReconnect(listener: () => void): () => void {
  return onlineManager.subscribe((isOnline) => {
    if (isOnline) listener();
  });
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
}
