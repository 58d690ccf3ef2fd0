/** What can be on the mat: requests of this visit, and pictures that the gallery kept before. */

import type { UsedForm } from '../../../api/image-stream.ts';
import type { GalleryRun } from '../../../gallery/gallery-store.ts';
import type { OrderFields } from '../../../jobs/image-order.ts';
import type { Job, JobResult } from '../../../jobs/job.ts';
import type { Shown } from './draft.ts';

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

/** A finished picture, wherever it is kept. */
export interface Finished {
  id: string;
  traceId: string;
  createdAt: string;
  asked: OrderFields;
  used: UsedForm;
  revisedPrompt: string | null;
  costMicros: number;
  durationMs: number | null;
  bytes: number;
  /** In hand, as long as the gallery does not have it. */
  image: Blob | null;
  /** Null when the gallery does not have it. */
  run: GalleryRun | null;
  /** Null for a picture of an earlier visit. */
  job: (Job & { state: { kind: 'done'; result: JobResult } }) | null;
}

export function finishedOf(item: StageItem | null): Finished | null {
  if (!item) return null;
  if (item.kind === 'run') return finishedRun(item.run, null);
  const { job, run } = item;
  if (!isDone(job)) return null;
  const { result } = job.state;
  const kept = run ?? (result.kept.kind === 'saved' ? result.kept.run : null);
  if (kept) return { ...finishedRun(kept, job), image: result.image };
  return {
    id: job.id,
    traceId: job.traceId ?? '',
    createdAt: job.createdAt,
    asked: job.order.fields,
    used: result.used,
    revisedPrompt: result.revisedPrompt,
    costMicros: result.cost.micros,
    durationMs: result.durationMs,
    bytes: result.bytes,
    image: result.image,
    run: null,
    job,
  };
}

function isDone(job: Job): job is Job & { state: { kind: 'done'; result: JobResult } } {
  return job.state.kind === 'done';
}

function finishedRun(run: GalleryRun, job: Finished['job']): Finished {
  return {
    id: run.id,
    traceId: run.traceId,
    createdAt: run.createdAt,
    asked: run.asked,
    used: run.used,
    revisedPrompt: run.revisedPrompt,
    costMicros: run.costMicros,
    durationMs: run.durationMs,
    bytes: run.image.bytes,
    image: null,
    run,
    job,
  };
}

/** `1536x1024` as numbers; null for `auto` and for what cannot be read. */
export function parseSize(size: string): { width: number; height: number } | null {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : null;
}
