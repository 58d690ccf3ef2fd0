/** Pictures that are being deleted: hidden already, and still to be had back. */
import { createStore, useStore } from '../lib/store.ts';

export interface PendingDeletion {
  undo: () => void;
  /** Nobody can take it back any more. Does nothing when somebody did. */
  finish: () => void;
}

const hidden = createStore<ReadonlySet<string>>(new Set());

export function beginDeletion(
  ids: readonly string[],
  remove: () => Promise<void>,
): PendingDeletion {
  hidden.change((before) => before.union(new Set(ids)));
  const show = () => hidden.change((before) => before.difference(new Set(ids)));
  let isUndone = false;
  return {
    undo: () => {
      isUndone = true;
      show();
    },
    finish: () => {
      if (!isUndone) void remove().finally(show);
    },
  };
}

export function useHidden(): ReadonlySet<string> {
  return useStore(hidden);
}
