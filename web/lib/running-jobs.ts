/** How many image requests this page has running: they end with it, so everybody may ask. */
import { useSyncExternalStore } from 'react';

let count = 0;
const listeners = new Set<() => void>();

/** By whoever runs them. */
export function setRunningJobs(running: number): void {
  count = running;
  for (const listener of listeners) listener();
}

function runningJobs(): number {
  return count;
}

export function useRunningJobs(): number {
  return useSyncExternalStore(subscribe, runningJobs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
