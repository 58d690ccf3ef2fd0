/**
 * Short texts that the browser keeps for this page. Some keep nothing, and some have no room left: then they are
 * kept for as long as the page is there.
 */
export interface KeptTexts {
  read: (name: string) => string | null;
  /** Null takes it away. */
  write: (name: string, text: string | null) => void;
}

/** From visit to visit. */
export const keptTexts = keptIn(() => localStorage);

/** As long as the tab is open, also when it is loaded anew. */
export const keptInTab = keptIn(() => sessionStorage);

/** @param find throws, or finds nothing, in browsers that do not let pages keep anything */
export function keptIn(find: () => Storage | null): KeptTexts {
  const here = new Map<string, string>();
  const attempt = <T>(work: (storage: Storage) => T): { done: T } | null => {
    try {
      const storage = find();
      return storage && { done: work(storage) };
    } catch {
      return null;
    }
  };
  return {
    read: (name) => here.get(name) ?? attempt((storage) => storage.getItem(name))?.done ?? null,
    write: (name, text) => {
      here.delete(name);
      const isKept = attempt((storage) => {
        // What is there may not be what is read after a text for which there is no room.
        storage.removeItem(name);
        if (text !== null) storage.setItem(name, text);
      });
      if (!isKept && text !== null) here.set(name, text);
    },
  };
}
