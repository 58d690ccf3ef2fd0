/** Pictures that are being deleted: hidden already, and still to be had back. */
import { createStore, useStore } from '../lib/store.ts';

interface Deletion {
  afterMs: number;
  remove: () => Promise<void>;
}

const timers = new Map<string, ReturnType<typeof setTimeout>>();
const hidden = createStore<ReadonlySet<string>>(new Set());

export function deleteSoon(id: string, { afterMs, remove }: Deletion): void {
  hidden.change((ids) => new Set([...ids, id]));
  const timer = setTimeout(() => {
    timers.delete(id);
    void remove().finally(() => show(id));
  }, afterMs);
  timers.set(id, timer);
}

export function undoDelete(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  show(id);
}

export function useHidden(): ReadonlySet<string> {
  return useStore(hidden);
}

function show(id: string): void {
  hidden.change((ids) => new Set([...ids].filter((each) => each !== id)));
}
