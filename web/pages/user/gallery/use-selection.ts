import { useEffect, useMemo, useRef, useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  /** Everything from the one that was chosen last to this one. */
  extendTo: (id: string) => void;
  set: (ids: readonly string[]) => void;
  clear: () => void;
}

/** @param order in which they lie on the page */
export function useSelection(order: readonly string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(order);
  useEffect(() => {
    latest.current = order;
  });
  const last = useRef<string | null>(null);
  // The same functions all the time: there may be a thousand tiles that are given them.
  const actions = useMemo(
    () => ({
      toggle: (id: string) => {
        last.current = id;
        setIds((before) => (before.has(id) ? without(before, id) : new Set([...before, id])));
      },
      extendTo: (id: string) => {
        const from = latest.current.indexOf(last.current ?? id);
        const to = latest.current.indexOf(id);
        const range = latest.current.slice(Math.min(from, to), Math.max(from, to) + 1);
        last.current = id;
        setIds((before) => new Set([...before, ...(from === -1 ? [id] : range)]));
      },
      set: (chosen: readonly string[]) => setIds(new Set(chosen)),
      clear: () => {
        last.current = null;
        setIds(new Set());
      },
    }),
    [],
  );
  return { ids, ...actions };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((each) => each !== id));
}
