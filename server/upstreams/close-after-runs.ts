import { endWait } from '../lib/abort.ts';
import { Roster } from '../lib/roster.ts';
import type { Adapter, ImageJob, UpstreamContext, UpstreamEvent } from './upstream.ts';

/** How long the closing of an adapter waits for a run whose signal has aborted. */
export const stoppingMsMax = 5_000;

interface Run {
  context: UpstreamContext;
  onEnd: (() => void) | null;
}

/**
 * The same adapter, but `close` waits until its runs have ended. Many protocols take several requests to make one
 * picture: without its connections, a run could not fetch a picture that was made, and paid for, meanwhile. Runs that
 * do not end although their signal has aborted are waited for no longer than {@link stoppingMsMax}.
 */
export function closeAfterRuns(adapter: Adapter): Adapter {
  const running = new Roster<Run>();
  let runs = 0;
  let closing: Promise<void> | null = null;

  async function* run(
    job: ImageJob,
    context: UpstreamContext,
  ): AsyncGenerator<UpstreamEvent, void, void> {
    const id = `run ${++runs}`;
    const own: Run = { context, onEnd: null };
    running.set(id, own);
    try {
      yield* adapter.run(job, context);
    } finally {
      running.delete(id);
      own.onEnd?.();
    }
  }

  return {
    capabilities: (upstreamModel) => adapter.capabilities(upstreamModel),
    run,
    listModels: (context) => adapter.listModels(context),
    close: () => {
      closing ??= closeWhenEnded(adapter, running.values());
      return closing;
    },
  };
}

async function closeWhenEnded(adapter: Adapter, runs: readonly Run[]): Promise<void> {
  await Promise.all(runs.map(untilEnded));
  await adapter.close();
}

/** Or until it was told to stop and some time has passed. */
async function untilEnded(run: Run): Promise<void> {
  const { signal, clock } = run.context;
  const ended = Promise.withResolvers<void>();
  /** Ends the wait when the run has ended in time. */
  const inTime = new AbortController();
  const giveUp = () =>
    void clock.sleep(stoppingMsMax, inTime.signal).then(ended.resolve, () => undefined);
  run.onEnd = ended.resolve;
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  await ended.promise;
  signal.removeEventListener('abort', giveUp);
  endWait(inTime);
}
