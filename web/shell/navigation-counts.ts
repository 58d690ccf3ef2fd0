/** What needs action on the pages of the administration, shown beside their names. */
import { useSyncExternalStore } from 'react';
import type { NavigationItem } from './navigation.ts';

export type NavigationCounts = Readonly<Partial<Record<NavigationItem['name'], number>>>;

let counts: NavigationCounts = {};
const listeners = new Set<() => void>();

/** By the pages that know: "Models and prices 2" are two models that need a price. */
export function setNavigationCount(name: NavigationItem['name'], count: number): void {
  if ((counts[name] ?? 0) === count) return;
  counts = { ...counts, [name]: count };
  for (const listener of listeners) listener();
}

export function useNavigationCounts(): NavigationCounts {
  return useSyncExternalStore(subscribe, () => counts);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
