/** Notices that the files of this page are gone, because a newer console was installed meanwhile. */
import { createStore, useStore } from './store.ts';

const isNewer = createStore(false);
const probeMsMax = 5_000;

/** Vite tells of every chunk that it could not load, also of one that was only going to be wanted. */
window.addEventListener('vite:preloadError', ({ payload }) => void whyUnloaded(payload));

/**
 * Why a file could not be loaded: the service is out of reach, the file is gone, or it is there but the browser goes
 * on failing, as Firefox does until the page is loaded anew. Where it names no file, one that failed is taken for gone.
 */
export async function whyUnloaded(error: unknown): Promise<'unreachable' | 'gone' | 'remembered'> {
  if (!(await isThere('/'))) return 'unreachable';
  const file = fileOf(error);
  if (file && (await isThere(file))) return 'remembered';
  isNewer.set(true);
  return 'gone';
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

export function isServiceThere(): Promise<boolean> {
  return isThere('/');
}

/** What browsers end their message with; Safari does not. */
function fileOf(error: unknown): string | null {
  const [file] = /https?:\S+$/.exec(error instanceof Error ? error.message : '') ?? [];
  return file ?? null;
}

async function isThere(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(probeMsMax);
    const { ok } = await fetch(address, { method: 'HEAD', cache: 'no-store', signal });
    return ok;
  } catch {
    return false;
  }
}
