/**
 * How many image requests this page has running, and how many of them end when it is closed or loaded again, so that
 * whatever would do that can ask here.
 */
import { createStore, useStore } from './store.ts';

const running = createStore(0);
const ending = createStore(0);

/** For the runner of the jobs alone. */
export function setRunningJobs(counts: { running: number; endingWithPage: number }): void {
  running.set(counts.running);
  ending.set(counts.endingWithPage);
}

export function useRunningJobs(): number {
  return useStore(running);
}

export function useJobsEndingWithPage(): number {
  return useStore(ending);
}
