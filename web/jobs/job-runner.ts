/**
 * Runs image requests apart from any page: they go on while the user looks at other ones. At most
 * as many as the user has slots are under way; the rest waits here for its turn.
 */

import type { SettledState } from '../../shared/console/trace.ts';
import { type ApiError, toApiError } from '../api/api-error.ts';
import { type FinishedImage, StreamCut } from '../api/image-stream.ts';
import {
  type Cut,
  isActive,
  type Job,
  type JobState,
  type Kept,
  takesSlot,
  wasCancelled,
} from './job.ts';
import { jobLimits } from './job-limits.ts';
import { eventOf, type JobEvent, JobList } from './job-list.ts';
import { isAnswerGone, isPassing, type JobService, wasRefused } from './job-service.ts';

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

export type NewJob = Pick<Job, 'id' | 'order' | 'mask' | 'price'>;

export class JobRunner {
  readonly #deps: RunnerDeps;
  readonly #stops = new Map<string, AbortController>();
  readonly #list = new JobList();
  /** Refused by the service for now: they do not take a free slot before it is over. */
  readonly #resting = new Set<string>();

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** The oldest first. */
  jobs = (): readonly Job[] => this.#list.jobs();

  subscribe = (listener: () => void): (() => void) => this.#list.subscribe(listener);

  /** What happens to jobs, as it happens: for what is said aloud. */
  watch = (watcher: (event: JobEvent) => void): (() => void) => this.#list.watch(watcher);

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
    this.#list.add(created);
    this.startWaiting();
  }

  /** Also called when the service says that the user has more slots than before. */
  startWaiting(): void {
    let free = this.#deps.slotsMax() - this.jobs().filter(takesSlot).length;
    for (const { id, state } of this.jobs()) {
      if (free <= 0) return;
      if (state.kind !== 'queued' || this.#resting.has(id)) continue;
      free--;
      void this.#run(id);
    }
  }

  async cancel(id: string): Promise<void> {
    const job = this.#list.find(id);
    if (!job || !isActive(job) || job.state.kind === 'cancelling') return;
    if (job.state.kind === 'queued') {
      this.#end(id, { kind: 'cancelled', settled: null });
      return;
    }
    this.#list.change(id, { state: { kind: 'cancelling' } });
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
    const state = this.#list.find(id)?.state;
    if (state?.kind !== 'unresolved') return;
    this.#list.change(id, { endedAtMs: null });
    void this.#recover(id, state.cut);
  }

  /** No longer to be shown; what is under way stays. */
  forget(id: string): void {
    this.#list.forget(id);
  }

  /** The gallery has it now, or has not. */
  setKept(id: string, kept: Kept): void {
    const state = this.#list.find(id)?.state;
    if (state?.kind !== 'done') return;
    // What the gallery has need not be here as well.
    const image = kept.kind === 'saved' ? null : state.result.image;
    this.#list.change(id, { state: { kind: 'done', result: { ...state.result, image, kept } } });
  }

  async #run(id: string): Promise<void> {
    this.#list.change(id, { state: { kind: 'sending' }, sentAtMs: this.#deps.now() });
    try {
      this.#finish(id, await this.#send(id));
    } catch (thrown) {
      await this.#onBroken(id, thrown);
    }
  }

  async #send(id: string): Promise<FinishedImage> {
    const { order } = this.#list.must(id);
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
    const { state } = this.#list.must(id);
    this.#list.change(id, { traceId });
    if (state.kind === 'checking') this.#list.change(id, { recovered: state.cut });
    else if (state.kind !== 'sending') return;
    this.#list.change(id, { state: { kind: 'running', cancel: 'possible' } });
    if (state.kind === 'sending') this.#list.tell('started', id);
  }

  #onPartial(id: string, image: Blob): void {
    const { preview } = this.#list.must(id);
    this.#list.change(id, { preview: { number: (preview?.number ?? 0) + 1, image } });
    this.#list.tell('preview', id);
  }

  async #onBroken(id: string, thrown: unknown): Promise<void> {
    const { state } = this.#list.must(id);
    if (!isActive(this.#list.must(id))) return;
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
    this.#list.change(id, {
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
    const { traceId } = this.#list.must(id);
    // A repeat that is refused has a trace ID of its own, which nobody is charged by.
    const known = traceId ?? error.traceId;
    this.#list.change(id, { traceId: known });
    const settled =
      traceId === null && wasRefused(error) ? null : await this.#settled(known, { looksMax: 3 });
    this.#end(id, { kind: 'failed', error, settled });
  }

  #onCut(id: string): Promise<void> {
    const { sentAtMs } = this.#list.must(id);
    const nowMs = this.#deps.now();
    return this.#recover(id, { afterMs: nowMs - (sentAtMs ?? nowMs) });
  }

  /**
   * Asks what became of the request, and for its picture by the same key, which the service takes
   * for the same request: it waits for the one that runs, or gives the finished one again.
   */
  async #recover(id: string, cut: Cut): Promise<void> {
    for (let tries = 0; tries < jobLimits.reconnectsMax; tries++) {
      this.#list.change(id, { state: { kind: 'checking', cut } });
      if (tries > 0) await this.#deps.wait(jobLimits.reconnectWaitMs * 2 ** (tries - 1));
      // Canceled meanwhile: `cancel` sees to it, for there is no connection that could end.
      if (this.#list.must(id).state.kind !== 'checking') return;
      try {
        if (await this.#endIfUncharged(id)) return;
        this.#finish(id, await this.#send(id));
        return;
      } catch (thrown) {
        if (this.#list.must(id).state.kind === 'cancelling') return this.#afterCancel(id);
        if (isAnswerGone(thrown)) return this.#endWithoutImage(id, thrown);
        if (!isPassing(thrown)) return this.#fail(id, toApiError(thrown));
      }
    }
    this.#end(id, { kind: 'unresolved', cut });
    return undefined;
  }

  /** A request that ended without a charge would be made anew by its key. */
  async #endIfUncharged(id: string): Promise<boolean> {
    const { traceId } = this.#list.must(id);
    if (traceId === null) return false;
    const settled = await this.#deps.service.readState(traceId);
    if (settled.status !== 'failed' && settled.status !== 'canceled') return false;
    this.#end(id, { kind: 'failed', error: null, settled });
    return true;
  }

  async #endWithoutImage(id: string, thrown: unknown): Promise<void> {
    const { traceId } = this.#list.must(id);
    const settled = await this.#settled(traceId, { looksMax: 3 });
    if (settled?.charge) this.#end(id, { kind: 'image_lost', settled });
    else this.#end(id, { kind: 'failed', error: toApiError(thrown), settled });
  }

  async #cancelAtService(id: string): Promise<void> {
    for (let looks = 0; looks < jobLimits.cancelLooksMax; looks++) {
      const { state, trace_id } = await this.#deps.service.cancel(id);
      if (trace_id !== null) this.#list.change(id, { traceId: trace_id });
      if (this.#list.find(id)?.state.kind !== 'cancelling') return undefined;
      const isConnected = this.#stops.has(id);
      if (state !== 'unknown' && !isConnected) return this.#afterCancel(id);
      if (state === 'stopping') return undefined;
      if (state === 'goes_on') return this.#takeBackCancel(id, 'too_late');
      // Its answer has begun, so it runs: on another instance, or it ends this very moment.
      if (this.#list.must(id).traceId !== null) {
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
    if (this.#list.find(id)?.state.kind !== 'cancelling') return;
    this.#list.change(id, { state: { kind: 'running', cancel } });
  }

  /** While it was being sent, nobody knows yet whether it arrived: `#cancelAtService` finds out. */
  async #onCancelledConnection(id: string): Promise<void> {
    if (this.#list.must(id).traceId !== null) await this.#afterCancel(id);
  }

  /** Nothing more comes of a canceled request: its record says how it ended. */
  async #afterCancel(id: string): Promise<void> {
    const { traceId, sentAtMs } = this.#list.must(id);
    const nowMs = this.#deps.now();
    const cut = { afterMs: nowMs - (sentAtMs ?? nowMs) };
    const settled = await this.#settled(traceId, { looksMax: jobLimits.settleLooksMax });
    if (!isActive(this.#list.must(id))) return;
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
    const job = this.#list.must(id);
    const { image, used, receipt } = finished;
    this.#list.change(id, { traceId: receipt.trace_id });
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
    void this.#deps.keep(this.#list.must(id), finished).then((kept) => this.setKept(id, kept));
  }

  #end(id: string, state: JobState): void {
    this.#list.change(id, { state, preview: null, endedAtMs: this.#deps.now() });
    this.#list.forgetOldest(jobLimits.endedMax);
    this.#list.tell(eventOf(state), id);
    this.startWaiting();
  }
}
