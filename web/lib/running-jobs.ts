/**
 * How many image requests this page has running. They end when the page is closed or loaded again, so whatever would
 * do that can ask here.
 */
import { createStore, useStore } from './store.ts';

const running = createStore(0);

/** For the runner of the jobs alone. */
export const setRunningJobs = running.set;

export function useRunningJobs(): number {
  return useStore(running);
}
