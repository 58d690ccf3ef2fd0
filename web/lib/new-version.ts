/** Notices that the files of this page are gone, because a newer console was installed meanwhile. */
import { useSyncExternalStore } from 'react';

let isNewer = false;
const listeners = new Set<() => void>();

/** Vite tells of every chunk that it could not load. */
window.addEventListener('vite:preloadError', () => noteNewVersion());

export function noteNewVersion(): void {
  isNewer = true;
  for (const listener of listeners) listener();
}

export function useIsNewVersion(): boolean {
  return useSyncExternalStore(subscribe, () => isNewer);
}

/** How browsers word it when a lazy chunk is gone. */
export function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|preload CSS/i.test(error.message)
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
