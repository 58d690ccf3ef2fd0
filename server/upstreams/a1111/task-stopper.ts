/**
 * Ends the jobs that nobody waits for any more. Closing the connection does not: the engine draws to
 * the end. Its one way to stop, `/sdapi/v1/interrupt`, ends whatever it is drawing at that moment,
 * so it is used only right after the engine has said that this is our task.
 *
 * That takes requests and patience which the attempt does not have: its signal has aborted and its
 * caller is gone. So it is done in the background.
 */
import type { Clock } from '../../lib/clock.ts';
import { UpstreamError } from '../upstream.ts';
import { UnreadableAnswer } from '../wire/insist.ts';
import { type EngineApi, noPreviewId } from './engine-api.ts';
import { within } from './time-limit.ts';

export const stopLimits = {
  /** How long a task in the engine's queue is watched, for nothing can be taken out of the queue. */
  queuedMsMax: 600_000,
  /** How long to wait for a task that the engine has not heard of: its request may be on the way. */
  unknownMsMax: 5_000,
  lookEveryMs: 1_000,
  /** For each of the requests that this takes. */
  requestMsMax: 30_000,
  /** At a time. What goes beyond is drawn to the end. */
  tasksMax: 64,
} as const;

export interface Task {
  id: string;
  clock: Clock;
  credential: string | null;
}

export class TaskStopper {
  readonly #api: EngineApi;
  readonly #open = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #stopping = 0;

  constructor(api: EngineApi) {
    this.#api = api;
  }

  /** The work itself; when it ends while the engine may go on with the task, the task is stopped. */
  supervise<T>(work: Promise<T>, task: Task, signal: AbortSignal): Promise<T> {
    const supervised = work.catch((error: unknown) => {
      if (signal.aborted || mayGoOn(error)) this.#begin(task);
      throw error;
    });
    this.#track(supervised);
    return supervised;
  }

  /** Waits for what is supervised, and takes a last look at each task that is to be stopped. */
  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  #begin(task: Task): void {
    if (this.#stopping >= stopLimits.tasksMax) return;
    this.#stopping++;
    const stopped = this.#stop(task).finally(() => this.#stopping--);
    this.#track(stopped);
  }

  async #stop({ id, clock, credential }: Task): Promise<void> {
    const ask = <T>(
      work: (call: { signal: AbortSignal; credential: string | null }) => Promise<T>,
    ) => within({ clock, ms: stopLimits.requestMsMax }, (signal) => work({ signal, credential }));
    const startedMs = clock.monotonic();
    let wasQueued = false;
    for (;;) {
      const isLast = this.#closing.signal.aborted;
      const { isActive, isQueued } = await ask((call) =>
        this.#api.readProgress(id, noPreviewId, call),
      );
      if (isActive) return await ask((call) => this.#api.interrupt(call));
      // What has left the queue without being drawn has ended.
      if (wasQueued && !isQueued) return;
      wasQueued = isQueued;
      const limitMs = isQueued ? stopLimits.queuedMsMax : stopLimits.unknownMsMax;
      if (isLast || clock.monotonic() - startedMs >= limitMs) return;
      await this.#pause(clock);
    }
  }

  async #pause(clock: Clock): Promise<void> {
    try {
      await clock.sleep(stopLimits.lookEveryMs, this.#closing.signal);
    } catch {
      // Closing: the next look is the last.
    }
  }

  #track(work: Promise<unknown>): void {
    const settled = work
      // Whoever asked for the work hears of its failure. Of one to stop a task nobody could make
      // use: the engine draws to the end.
      .catch(() => {})
      .finally(() => this.#open.delete(settled));
    this.#open.add(settled);
  }
}

/** Whether the engine may have heard of the job and not ended it: it gave no answer of its own. */
function mayGoOn(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false;
  if (error.fault === 'timeout' || error.cause instanceof UnreadableAnswer) return true;
  return error.status === null && error.possiblyCharged;
}
