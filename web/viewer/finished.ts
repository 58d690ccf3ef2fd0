/** A finished picture, wherever it is kept: with the request that made it, or in the gallery. */
import type { UsedForm } from '../api/image-stream.ts';
import type { GalleryRun } from '../gallery/kept/gallery-store.ts';
import type { OrderFields } from '../jobs/image-order.ts';
import type { Job, JobResult } from '../jobs/job.ts';

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
  job: DoneJob | null;
}

type DoneJob = Job & { state: { kind: 'done'; result: JobResult } };

/** Null while there is no picture. */
export function finishedJob(job: Job, run: GalleryRun | null): Finished | null {
  if (!isDone(job)) return null;
  const { result } = job.state;
  const kept = run ?? (result.kept.kind === 'saved' ? result.kept.run : null);
  if (kept) return { ...finishedRun(kept), image: result.image, job };
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

function isDone(job: Job): job is DoneJob {
  return job.state.kind === 'done';
}

export function finishedRun(run: GalleryRun): Finished {
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
    job: null,
  };
}
