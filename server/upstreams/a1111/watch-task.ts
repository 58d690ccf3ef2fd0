import type { Clock } from '../../lib/clock.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { noPreviewId, type TaskProgress } from './engine-api.ts';

export const watchLimits = {
  /** In a row; then the job is left to itself. */
  failedLooksMax: 3,
} as const;

export type Sighting = { kind: 'taken' } | { kind: 'preview'; image: EncodedImage };

export interface Watch {
  clock: Clock;
  everyMs: number;
  previewsMax: number;
  /** Asks how the task is doing, and for a preview that is another than the one named. */
  look: (previewId: number, signal: AbortSignal) => Promise<TaskProgress>;
}

/**
 * What is seen of a task: that the engine has taken it, then its first previews. Ends when nothing
 * more is wanted, or when the signal aborts. That it cannot be seen is no failure: the answer to the
 * job itself says what became of it.
 */
export async function* watchTask(
  { clock, everyMs, previewsMax, look }: Watch,
  signal: AbortSignal,
): AsyncGenerator<Sighting, void, void> {
  let isTaken = false;
  let previews = 0;
  let previewId = noPreviewId;
  let failedLooks = 0;
  while (!isTaken || previews < previewsMax) {
    try {
      await clock.sleep(everyMs, signal);
      const { isActive, isQueued, preview } = await look(previewId, signal);
      failedLooks = 0;
      if (!isTaken && (isActive || isQueued)) {
        isTaken = true;
        yield { kind: 'taken' };
      }
      if (!preview || previews >= previewsMax) continue;
      previewId = preview.id;
      previews++;
      yield { kind: 'preview', image: preview.image };
    } catch {
      if (signal.aborted || ++failedLooks >= watchLimits.failedLooksMax) return;
    }
  }
}
