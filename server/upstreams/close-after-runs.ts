import type { Clock } from '../lib/clock.ts';
import type { Adapter, ImageJob, UpstreamContext, UpstreamEvent } from './upstream.ts';

/** How long an adapter may take to end a run that was told to stop. */
export const stoppingMsMax = 5_000;

/**
 * The adapter, closed only when its runs have ended: many protocols take several requests to make one
 * picture, and one that cannot be asked after any more is lost, although it was paid for. A run that
 * does not end when it is told to is not waited for.
 */
export function closeAfterRuns(adapter: Adapter): Adapter {
  const running = new Set<Promise<void>>();

  async function* run(
    job: ImageJob,
    context: UpstreamContext,
  ): AsyncGenerator<UpstreamEvent, void, void> {
    const ended = new AbortController();
    const over = untilOver(context, ended.signal).finally(() => running.delete(over));
    running.add(over);
    try {
      yield* adapter.run(job, context);
    } finally {
      ended.abort();
    }
  }

  return {
    capabilities: (upstreamModel) => adapter.capabilities(upstreamModel),
    run,
    listModels: (context) => adapter.listModels(context),
    close: async () => {
      await Promise.all(running);
      await adapter.close();
    },
  };
}

/** Until a run has ended, or some time after it was to stop. */
async function untilOver(
  { signal, clock }: { signal: AbortSignal; clock: Clock },
  ended: AbortSignal,
): Promise<void> {
  await abortOfEither(signal, ended);
  // Ended meanwhile, which is as good as having waited.
  await clock.sleep(stoppingMsMax, ended).catch(() => {});
}

function abortOfEither(one: AbortSignal, other: AbortSignal): Promise<void> {
  const either = AbortSignal.any([one, other]);
  return new Promise((resolve) => {
    if (either.aborted) resolve();
    else either.addEventListener('abort', () => resolve(), { once: true });
  });
}
