/** How many image requests this page has running: they end with it, so everybody may ask. */
import { createStore, useStore } from './store.ts';

const running = createStore(0);

/** By whoever runs them. */
export const setRunningJobs = running.set;

export function useRunningJobs(): number {
  return useStore(running);
}
