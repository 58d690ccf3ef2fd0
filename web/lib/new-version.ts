/** Notices that the files of this page are gone, because a newer console was installed meanwhile. */
import { createStore, useStore } from './store.ts';

const isNewer = createStore(false);
const probeMsMax = 5_000;

/** Vite tells of every chunk that it could not load, also of one that was only going to be wanted. */
window.addEventListener('vite:preloadError', () => void noteNewVersion());

/** After a file could not be loaded: says whether it is gone, and not just out of reach. */
export async function noteNewVersion(): Promise<boolean> {
  if (await isServiceThere()) isNewer.set(true);
  return isNewer.get();
}

export function useIsNewVersion(): boolean {
  return useStore(isNewer);
}

/** How browsers word it when a lazy chunk could not be loaded; they do not say why. */
export function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|preload CSS/i.test(error.message)
  );
}

export async function isServiceThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(probeMsMax);
    const { ok } = await fetch('/', { method: 'HEAD', cache: 'no-store', signal });
    return ok;
  } catch {
    return false;
  }
}
