/**
 * Runs image requests apart from any page: they go on while the user looks at other ones. At most
 * as many as the user has slots are under way; the rest waits here for its turn.
 */

import type { SettledState } from '../../shared/console/trace.ts';
import { ApiError, toApiError } from '../api/api-error.ts';
import { type FinishedImage, StreamCut } from '../api/image-stream.ts';
import { type Cut, isActive, type Job, type JobState, type Kept, takesSlot } from './job.ts';
import { isAnswerGone, type JobService } from './job-service.ts';

export interface RunnerDeps {
  service: JobService;
  /** Milliseconds by a clock that only goes forward. */
  now: () => number;
  /** ISO 8601 in UTC. */
  time: () => string;
  wait: (ms: number) => Promise<void>;
  /** How many requests the user may have running, by the service's word. */
  slotsMax: () => number;
  /** Puts a finished picture into the gallery. */
  keep: (job: Job, finished: FinishedImage) => Promise<Kept>;
}

export type JobEvent = {
  kind: 'started' | 'preview' | 'finished' | 'failed' | 'cancelled' | 'unresolved';
  job: Job;
};

export type NewJob = Pick<Job, 'id' | 'order' | 'mask' | 'price'>;

export const jobLimits = {
  /** Ended jobs that are remembered. */
  endedMax: 50,
  /** Connections that a job opens after its first was cut, without being asked to. */
  reconnectsMax: 4,
  reconnectWaitMs: 1_000,
  /** How often and how long a job that was canceled looks for the end of its request. */
  settleLooksMax: 60,
  settleWaitMs: 500,
  /** Looks for a request that may be just arriving when it is canceled. */
  cancelLooksMax: 6,
  cancelWaitMs: 500,
  /** After the service said that there are enough requests, unless it said for how long. */
  refusedWaitMs: 2_000,
} as const;

export class JobRunner {
  readonly #deps: RunnerDeps;
  readonly #stops = new Map<string, AbortController>();
  readonly #listeners = new Set<() => void>();
  readonly #watchers = new Set<(event: JobEvent) => void>();
  /** Refused by the service for now: they do not take a free slot before it is over. */
  readonly #resting = new Set<string>();
  #jobs: readonly Job[] = [];

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** The oldest first. */
  jobs = (): readonly Job[] => this.#jobs;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** What happens to jobs, as it happens: for what is said aloud. */
  watch = (watcher: (event: JobEvent) => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  start(wishes: readonly NewJob[]): void {
    const created = wishes.map(
      (wish): Job => ({
        ...wish,
        createdAt: this.#deps.time(),
        sentAtMs: null,
        endedAtMs: null,
        traceId: null,
        preview: null,
        state: { kind: 'queued', wasRefused: false },
        recovered: null,
      }),
    );
    this.#set([...this.#jobs, ...created]);
    this.startWaiting();
  }

  /** Also called when the service says that the user has more slots than before. */
  startWaiting(): void {
    let free = this.#deps.slotsMax() - this.#jobs.filter(takesSlot).length;
    for (const { id, state } of this.#jobs) {
      if (free <= 0) return;
      if (state.kind !== 'queued' || this.#resting.has(id)) continue;
      free--;
      void this.#run(id);
    }
  }

  async cancel(id: string): Promise<void> {
    const job = this.#find(id);
    if (!job || !isActive(job) || job.state.kind === 'cancelling') return;
    if (job.state.kind === 'queued') {
      this.#end(id, { kind: 'cancelled', settled: null });
      return;
    }
    this.#change(id, { state: { kind: 'cancelling' } });
    try {
      await this.#cancelAtService(id);
    } catch {
      // The service cannot be asked. Without a connection there is nothing that could go on.
      if (this.#stops.has(id)) this.#takeBackCancel(id, 'failed');
      else await this.#afterCancel(id);
    }
  }

  /** Looks once more what became of a request whose connection was cut. */
  check(id: string): void {
    const state = this.#find(id)?.state;
    if (state?.kind !== 'unresolved') return;
    this.#change(id, { endedAtMs: null });
    void this.#recover(id, state.cut);
  }

  /** No longer to be shown; what is under way stays. */
  forget(id: string): void {
    this.#set(this.#jobs.filter((job) => job.id !== id || isActive(job)));
  }

  /** The gallery has it now, or has not. */
  setKept(id: string, kept: Kept): void {
    const state = this.#find(id)?.state;
    if (state?.kind !== 'done') return;
    // What the gallery has need not be here as well.
    const image = kept.kind === 'saved' ? null : state.result.image;
    this.#change(id, { state: { kind: 'done', result: { ...state.result, image, kept } } });
  }

  async #run(id: string): Promise<void> {
    this.#change(id, { state: { kind: 'sending' }, sentAtMs: this.#deps.now() });
    try {
      this.#finish(id, await this.#send(id));
    } catch (thrown) {
      await this.#onBroken(id, thrown);
    }
  }

  async #send(id: string): Promise<FinishedImage> {
    const { order } = this.#must(id);
    const stop = new AbortController();
    this.#stops.set(id, stop);
    try {
      return await this.#deps.service.send(order, {
        key: id,
        signal: stop.signal,
        onOpened: (traceId) => this.#onOpened(id, traceId),
        onPartial: (image) => this.#onPartial(id, image),
      });
    } finally {
      this.#stops.delete(id);
    }
  }

  #onOpened(id: string, traceId: string): void {
    const { state } = this.#must(id);
    this.#change(id, { traceId });
    if (state.kind === 'checking') this.#change(id, { recovered: state.cut });
    else if (state.kind !== 'sending') return;
    this.#change(id, { state: { kind: 'running', cancel: 'possible' } });
    if (state.kind === 'sending') this.#tell('started', id);
  }

  #onPartial(id: string, image: Blob): void {
    const { preview } = this.#must(id);
    this.#change(id, { preview: { number: (preview?.number ?? 0) + 1, image } });
    this.#tell('preview', id);
  }

  async #onBroken(id: string, thrown: unknown): Promise<void> {
    const { state } = this.#must(id);
    if (!isActive(this.#must(id))) return;
    if (state.kind === 'cancelling') return this.#onCancelledConnection(id);
    if (thrown instanceof StreamCut) return this.#onCut(id);
    const error = toApiError(thrown);
    if (error.code === 'rate_limit') this.#rest(id, error);
    else await this.#fail(id, error);
    return undefined;
  }

  /** Back into the queue: other tabs and API keys take the same slots. */
  #rest(id: string, { retryAfterSeconds }: ApiError): void {
    const { refusedWaitMs } = jobLimits;
    this.#change(id, {
      state: { kind: 'queued', wasRefused: true },
      sentAtMs: null,
      preview: null,
    });
    this.#resting.add(id);
    const ms = Math.max(refusedWaitMs, (retryAfterSeconds ?? 0) * 1_000);
    void this.#deps.wait(ms).then(() => {
      this.#resting.delete(id);
      this.startWaiting();
    });
  }

  /** Whether something was charged is the record's to say, not ours. */
  async #fail(id: string, error: ApiError): Promise<void> {
    const { traceId } = this.#must(id);
    // A repeat that is refused has a trace ID of its own, which nobody is charged by.
    const known = traceId ?? error.traceId;
    this.#change(id, { traceId: known });
    const settled = wasRefused(error) ? null : await this.#settled(known, { looksMax: 3 });
    this.#end(id, { kind: 'failed', error, settled });
  }

  #onCut(id: string): Promise<void> {
    const { sentAtMs } = this.#must(id);
    const nowMs = this.#deps.now();
    return this.#recover(id, { afterMs: nowMs - (sentAtMs ?? nowMs) });
  }

  /**
   * Asks what became of the request, and for its picture by the same key, which the service takes
   * for the same request: it waits for the one that runs, or gives the finished one again.
   */
  async #recover(id: string, cut: Cut): Promise<void> {
    for (let tries = 0; tries < jobLimits.reconnectsMax; tries++) {
      this.#change(id, { state: { kind: 'checking', cut } });
      if (tries > 0) await this.#deps.wait(jobLimits.reconnectWaitMs * 2 ** (tries - 1));
      // Canceled meanwhile: `cancel` sees to it, for there is no connection that could end.
      if (this.#must(id).state.kind !== 'checking') return;
      try {
        if (await this.#endIfUncharged(id)) return;
        this.#finish(id, await this.#send(id));
        return;
      } catch (thrown) {
        if (this.#must(id).state.kind === 'cancelling') return this.#afterCancel(id);
        if (isAnswerGone(thrown)) return this.#endWithoutImage(id, thrown);
        if (!isPassing(thrown)) return this.#fail(id, toApiError(thrown));
      }
    }
    this.#end(id, { kind: 'unresolved', cut });
    return undefined;
  }

  /** A request that ended without a charge would be made anew by its key. */
  async #endIfUncharged(id: string): Promise<boolean> {
    const { traceId } = this.#must(id);
    if (traceId === null) return false;
    const settled = await this.#deps.service.readState(traceId);
    if (settled.status !== 'failed' && settled.status !== 'canceled') return false;
    this.#end(id, { kind: 'failed', error: null, settled });
    return true;
  }

  async #endWithoutImage(id: string, thrown: unknown): Promise<void> {
    const { traceId } = this.#must(id);
    const settled = await this.#settled(traceId, { looksMax: 3 });
    if (settled?.charge) this.#end(id, { kind: 'image_lost', settled });
    else this.#end(id, { kind: 'failed', error: toApiError(thrown), settled });
  }

  async #cancelAtService(id: string): Promise<void> {
    for (let looks = 0; looks < jobLimits.cancelLooksMax; looks++) {
      const { state, trace_id } = await this.#deps.service.cancel(id);
      if (trace_id !== null) this.#change(id, { traceId: trace_id });
      if (this.#find(id)?.state.kind !== 'cancelling') return undefined;
      const isConnected = this.#stops.has(id);
      if (state !== 'unknown' && !isConnected) return this.#afterCancel(id);
      if (state === 'stopping') return undefined;
      if (state === 'goes_on') return this.#takeBackCancel(id, 'too_late');
      // Its answer has begun, so it runs: on another instance, or it ends this very moment.
      if (this.#must(id).traceId !== null) {
        return isConnected ? this.#takeBackCancel(id, 'failed') : this.#afterCancel(id);
      }
      // Not there yet: what is not sent by now need not be.
      this.#stops.get(id)?.abort();
      await this.#deps.wait(jobLimits.cancelWaitMs);
    }
    this.#end(id, { kind: 'cancelled', settled: null });
    return undefined;
  }

  #takeBackCancel(id: string, cancel: 'too_late' | 'failed'): void {
    if (this.#find(id)?.state.kind !== 'cancelling') return;
    this.#change(id, { state: { kind: 'running', cancel } });
  }

  /** While it was being sent, nobody knows yet whether it arrived: `#cancelAtService` finds out. */
  async #onCancelledConnection(id: string): Promise<void> {
    if (this.#must(id).traceId !== null) await this.#afterCancel(id);
  }

  /** Nothing more comes of a canceled request: its record says how it ended. */
  async #afterCancel(id: string): Promise<void> {
    const { traceId, sentAtMs } = this.#must(id);
    const nowMs = this.#deps.now();
    const cut = { afterMs: nowMs - (sentAtMs ?? nowMs) };
    const settled = await this.#settled(traceId, { looksMax: jobLimits.settleLooksMax });
    if (!isActive(this.#must(id))) return;
    switch (settled?.status) {
      case 'canceled':
        this.#end(id, { kind: 'cancelled', settled });
        break;
      case 'failed':
        this.#end(id, { kind: 'failed', error: null, settled });
        break;
      case 'succeeded':
        await this.#recover(id, cut);
        break;
      default:
        this.#end(id, { kind: 'unresolved', cut });
    }
  }

  /** The record, once nothing about it will change; null when it cannot be had. */
  async #settled(
    traceId: string | null,
    { looksMax }: { looksMax: number },
  ): Promise<SettledState | null> {
    if (traceId === null) return null;
    for (let looks = 0; looks < looksMax; looks++) {
      if (looks > 0) await this.#deps.wait(jobLimits.settleWaitMs);
      const found = await this.#deps.service.readState(traceId).catch(() => null);
      if (found?.is_settled) return found;
    }
    return null;
  }

  #finish(id: string, finished: FinishedImage): void {
    const job = this.#must(id);
    const { image, used, receipt } = finished;
    this.#change(id, { traceId: receipt.trace_id });
    this.#end(id, {
      kind: 'done',
      result: {
        used,
        cost: { micros: receipt.cost_micros },
        balance: { micros: receipt.balance_micros },
        durationMs: receipt.duration_ms,
        revisedPrompt: receipt.revised_prompt,
        bytes: image.size,
        wasCancelled: wasCancelled(job.state),
        image,
        kept: { kind: 'saving' },
      },
    });
    void this.#deps.keep(this.#must(id), finished).then((kept) => this.setKept(id, kept));
  }

  #end(id: string, state: JobState): void {
    this.#change(id, { state, preview: null, endedAtMs: this.#deps.now() });
    this.#forgetOldest();
    this.#tell(eventOf(state), id);
    this.startWaiting();
  }

  #forgetOldest(): void {
    const ended = this.#jobs.filter((job) => !isActive(job));
    const surplus = new Set(ended.slice(0, Math.max(0, ended.length - jobLimits.endedMax)));
    if (surplus.size > 0) this.#set(this.#jobs.filter((job) => !surplus.has(job)));
  }

  #find(id: string): Job | undefined {
    return this.#jobs.find((job) => job.id === id);
  }

  /** Jobs under way are never forgotten. */
  #must(id: string): Job {
    const job = this.#find(id);
    if (!job) throw new Error('there is no such job');
    return job;
  }

  #change(id: string, changes: Partial<Job>): void {
    this.#set(this.#jobs.map((job) => (job.id === id ? { ...job, ...changes } : job)));
  }

  #set(jobs: readonly Job[]): void {
    this.#jobs = jobs;
    for (const listener of this.#listeners) listener();
  }

  #tell(kind: JobEvent['kind'], id: string): void {
    const job = this.#find(id);
    if (job) for (const watcher of this.#watchers) watcher({ kind, job });
  }
}

function wasCancelled(state: JobState): boolean {
  return state.kind === 'cancelling' || (state.kind === 'running' && state.cancel === 'too_late');
}

function eventOf({ kind }: JobState): JobEvent['kind'] {
  if (kind === 'done') return 'finished';
  if (kind === 'cancelled' || kind === 'unresolved') return kind;
  return 'failed';
}

/** Before anything began: there is nothing to look up, and nothing that could have been charged. */
function wasRefused({ code }: ApiError): boolean {
  return refusals.has(code);
}

const refusals: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'unauthorized',
  'insufficient_quota',
  'model_unavailable',
  'forbidden',
]);

/** What may be different at the next try. */
function isPassing(thrown: unknown): boolean {
  if (thrown instanceof StreamCut) return true;
  if (!(thrown instanceof ApiError)) return false;
  const { code } = thrown;
  return code === 'unreachable' || code === 'unavailable' || code === 'rate_limit';
}
