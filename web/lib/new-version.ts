/** Notices that the files of this page are gone, because a newer console was installed meanwhile. */
import { createStore, useStore } from './store.ts';

const isNewer = createStore(false);

/** Vite tells of every chunk that it could not load. */
window.addEventListener('vite:preloadError', () => noteNewVersion());

export function noteNewVersion(): void {
  isNewer.set(true);
}

export function useIsNewVersion(): boolean {
  return useStore(isNewer);
}

/** How browsers word it when a lazy chunk is gone. */
export function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|preload CSS/i.test(error.message)
  );
}
