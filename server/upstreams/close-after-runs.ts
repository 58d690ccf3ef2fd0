import { endWait } from '../lib/abort.ts';
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
  const none = new NoneRunning();

  async function* run(
    job: ImageJob,
    context: UpstreamContext,
  ): AsyncGenerator<UpstreamEvent, void, void> {
    const ended = Promise.withResolvers<void>();
    const { signal, clock } = context;
    const watches: AbortController[] = [];
    // Only a run that is told to stop is watched from then on.
    const watch = () => {
      const givenUp = new AbortController();
      watches.push(givenUp);
      void giveUp(clock, givenUp.signal).then(ended.resolve);
    };
    signal.addEventListener('abort', watch, { once: true });
    if (signal.aborted) watch();
    none.begin();
    void ended.promise.then(() => none.end());
    try {
      yield* adapter.run(job, context);
    } finally {
      signal.removeEventListener('abort', watch);
      for (const givenUp of watches) endWait(givenUp);
      ended.resolve();
    }
  }

  return {
    capabilities: (upstreamModel) => adapter.capabilities(upstreamModel),
    run,
    listModels: (context) => adapter.listModels(context),
    close: async () => {
      await none.reached();
      await adapter.close();
    },
  };
}

/** A count of what runs, for whoever waits until nothing does. */
class NoneRunning {
  #running = 0;
  #reached: PromiseWithResolvers<void> | null = null;

  begin(): void {
    this.#running++;
  }

  end(): void {
    this.#running--;
    if (this.#running === 0) this.#reached?.resolve();
  }

  async reached(): Promise<void> {
    if (this.#running === 0) return;
    this.#reached ??= Promise.withResolvers();
    await this.#reached.promise;
  }
}

/** Some time after a run was told to stop; at once when it ends meanwhile. */
async function giveUp(clock: Clock, ended: AbortSignal): Promise<void> {
  await clock.sleep(stoppingMsMax, ended).catch(() => {});
}
