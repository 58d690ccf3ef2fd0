/** What can be on the mat: requests of this visit, and pictures that the gallery kept before. */
import type { GalleryRun } from '../../../../gallery/kept/gallery-store.ts';
import type { Job } from '../../../../jobs/job.ts';
import { type Finished, finishedJob, finishedRun } from '../../../../viewer/finished.ts';
import type { Shown } from '../draft/draft.ts';

/** The same ID for a request and for the run it became. */
export type StageItem =
  | { kind: 'job'; id: string; job: Job; run: GalleryRun | null }
  | { kind: 'run'; id: string; run: GalleryRun };

/** The newest first. */
export function stageItems(
  jobs: readonly Job[],
  runs: readonly GalleryRun[],
): readonly StageItem[] {
  const known = new Map(runs.map((run) => [run.id, run]));
  const own = new Set(jobs.map(({ id }) => id));
  return [
    ...jobs
      .toReversed()
      .map((job): StageItem => ({ kind: 'job', id: job.id, job, run: known.get(job.id) ?? null })),
    ...runs
      .filter(({ id }) => !own.has(id))
      .map((run): StageItem => ({ kind: 'run', id: run.id, run })),
  ];
}

export function shownItem(items: readonly StageItem[], shown: Shown): StageItem | null {
  const found = shown.kind === 'latest' ? undefined : items.find(({ id }) => id === shown.id);
  if (found) return found;
  // Of what was before this visit nothing is shown unasked.
  const [latest] = items;
  return latest?.kind === 'job' ? latest : null;
}

/** Null where there is no picture, or none yet. */
export function finishedOf(item: StageItem | null): Finished | null {
  if (!item) return null;
  return item.kind === 'run' ? finishedRun(item.run) : finishedJob(item.job, item.run);
}
