/** Which pages of this browser are gone, so that another one may go on with what they have left. */
import { type KeptTexts, keptInTab } from './kept-texts.ts';

export interface PageLives {
  /** Resolves when other pages can tell that this one is there. Does nothing where they can already. */
  begin(): Promise<void>;
  /**
   * Calls `work` once the page of this ID is gone, which may be at once, later or never. Of all pages that wait for it
   * one works at a time.
   */
  afterEnd(pageId: string, work: () => Promise<void>): void;
}

/** @param name unique in the console, for each user */
export function openPageLives(name: string, pageId: string): PageLives {
  const locks = findLocks();
  if (locks) return livesByLocks(locks, { name, pageId });
  return livesByTab(keptInTab, { name, pageId, page: window });
}

interface PageName {
  name: string;
  pageId: string;
}

/** Each page holds a lock of its own, which the browser takes from it when it ends, however it ends. */
function livesByLocks(locks: LockManager, { name, pageId }: PageName): PageLives {
  const waitedFor = new Set<string>();
  let begun: Promise<void> | null = null;
  const lockOf = (id: string) => `${name}.${id}`;
  const begin = () =>
    new Promise<void>((resolve, reject) => {
      const hold = () => {
        resolve();
        return new Promise<void>(() => {});
      };
      locks.request(lockOf(pageId), hold).catch(reject);
    });
  const wait = async (id: string, work: () => Promise<void>) => {
    waitedFor.add(id);
    try {
      await locks.request(lockOf(id), work);
    } finally {
      waitedFor.delete(id);
    }
  };
  return {
    begin: () => {
      begun ??= begin();
      return begun;
    },
    afterEnd: (id, work) => {
      // What could not be done is done by whoever looks next.
      if (!waitedFor.has(id)) wait(id, work).catch(() => {});
    },
  };
}

/**
 * Where there are no locks, as on consoles that are reached by plain http: a tab shows one page at a time, so each page
 * leaves its ID to the next one of its own tab, as it goes. Of all other pages nobody knows.
 */
export function livesByTab(
  kept: KeptTexts,
  { name, pageId, page }: PageName & { page: EventTarget },
): PageLives {
  const before = kept.read(name);
  // A copy of the tab is to find nothing while this page is there.
  const clear = () => kept.write(name, null);
  clear();
  page.addEventListener('pagehide', () => kept.write(name, pageId));
  page.addEventListener('pageshow', clear);
  return {
    begin: async () => {},
    afterEnd: (id, work) => {
      if (id === before) work().catch(() => {});
    },
  };
}

/** Null where the page is not allowed to ask for them, too. */
function findLocks(): LockManager | null {
  // By the types they are always there; browsers have them on https and on this machine only.
  const locks: LockManager | undefined = navigator.locks;
  return locks ?? null;
}
