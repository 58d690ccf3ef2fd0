/**
 * The course of one job, from being sent to its end: its connection, what is asked of the service
 * when that was cut, and what a cancel comes to. *Does not know* that there are other jobs.
 */
import type { SettledState } from '../../shared/console/trace.ts';
import { type ApiError, toApiError } from '../api/api-error.ts';
import { type FinishedImage, StreamCut } from '../api/image-stream.ts';
import { type Cut, isActive, type Job, type JobState } from './job.ts';
import { jobLimits } from './job-limits.ts';
import type { JobList } from './job-list.ts';
import {
  isAnswerGone,
  isPassing,
  isSignedOut,
  type JobService,
  wasRefused,
} from './job-service.ts';

export interface CourseDeps {
  service: JobService;
  /** Milliseconds by a clock that only goes forward. */
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

/** How a course ends; exactly one of them is called, once. */
export interface CourseEnds {
  onFinished: (finished: FinishedImage) => void;
  onEnded: (state: JobState) => void;
  /** There are enough requests running: not now, but later. */
  onRefused: (error: ApiError) => void;
}

export class JobCourse {
  readonly #id: string;
  readonly #list: JobList;
  readonly #deps: CourseDeps;
  readonly #ends: CourseEnds;
  /** Ends its connection; null while it has none. */
  #stop: AbortController | null = null;

  constructor(id: string, list: JobList, deps: CourseDeps, ends: CourseEnds) {
    this.#id = id;
    this.#list = list;
    this.#deps = deps;
    this.#ends = ends;
  }

  async run(): Promise<void> {
    this.#change({ state: { kind: 'sending' }, sentAtMs: this.#deps.now() });
    try {
      this.#ends.onFinished(await this.#send({ isRepeat: false }));
    } catch (thrown) {
      await this.#onBroken(thrown);
    }
  }

  /**
   * Asks what became of the request, and for its picture by the same key, which the service takes
   * for the same request: it waits for the one that runs, or gives the finished one again.
   */
  async recover(cut: Cut): Promise<void> {
    for (let tries = 0; tries < jobLimits.reconnectsMax; tries++) {
      this.#change({ state: { kind: 'checking', cut } });
      if (tries > 0) await this.#deps.wait(jobLimits.reconnectWaitMs * 2 ** (tries - 1));
      // Canceled meanwhile: `cancel` sees to it, for there is no connection that could end.
      if (this.#job().state.kind !== 'checking') return;
      try {
        if (await this.#endIfUncharged()) return;
        // What is known to have arrived may end at this very moment: then it must not be made anew.
        this.#ends.onFinished(await this.#send({ isRepeat: this.#job().traceId !== null }));
        return;
      } catch (thrown) {
        const job = this.#list.find(this.#id);
        // Canceled while it was asked for, and by now perhaps forgotten.
        if (!job || !isActive(job)) return;
        if (job.state.kind === 'cancelling') return this.#afterCancel();
        if (isAnswerGone(thrown)) return this.#endWithoutImage(thrown);
        if (isSignedOut(thrown)) break;
        if (!isPassing(thrown)) return this.#fail(toApiError(thrown));
      }
    }
    this.#ends.onEnded({ kind: 'unresolved', cut });
    return undefined;
  }

  async cancel(): Promise<void> {
    if (this.#job().state.kind === 'cancelling') return;
    this.#change({ state: { kind: 'cancelling' } });
    try {
      await this.#cancelAtService();
    } catch {
      // The service cannot be asked. Without a connection there is nothing that could go on.
      if (this.#stop) this.#takeBackCancel('failed');
      else await this.#afterCancel();
    }
  }

  /** Jobs under way are never forgotten. */
  #job(): Job {
    return this.#list.must(this.#id);
  }

  #change(changes: Partial<Job>): void {
    this.#list.change(this.#id, changes);
  }

  async #send({ isRepeat }: { isRepeat: boolean }): Promise<FinishedImage> {
    const stop = new AbortController();
    this.#stop = stop;
    try {
      return await this.#deps.service.send(this.#job().order, {
        key: this.#id,
        isRepeat,
        signal: stop.signal,
        onOpened: (traceId) => this.#onOpened(traceId),
        onPartial: (image) => this.#onPartial(image),
      });
    } finally {
      this.#stop = null;
    }
  }

  #onOpened(traceId: string): void {
    const { state } = this.#job();
    this.#change({ traceId });
    if (state.kind === 'checking') this.#change({ recovered: state.cut });
    else if (state.kind !== 'sending') return;
    this.#change({ state: { kind: 'running', cancel: 'possible' } });
    if (state.kind === 'sending') this.#list.tell('started', this.#id);
  }

  #onPartial(image: Blob): void {
    const { preview } = this.#job();
    this.#change({ preview: { number: (preview?.number ?? 0) + 1, image } });
    this.#list.tell('preview', this.#id);
  }

  async #onBroken(thrown: unknown): Promise<void> {
    const job = this.#list.find(this.#id);
    // Canceled before it arrived, and by now perhaps forgotten.
    if (!job || !isActive(job)) return;
    if (job.state.kind === 'cancelling') return this.#onCancelledConnection();
    if (thrown instanceof StreamCut) return this.recover(this.#cutNow());
    const error = toApiError(thrown);
    if (error.code === 'rate_limit') this.#ends.onRefused(error);
    else await this.#fail(error);
    return undefined;
  }

  /** Whether something was charged is the record's to say, not ours. */
  async #fail(error: ApiError): Promise<void> {
    const { traceId } = this.#job();
    // A repeat that is refused has a trace ID of its own, which nobody is charged by.
    const known = traceId ?? error.traceId;
    this.#change({ traceId: known });
    const settled =
      traceId === null && wasRefused(error) ? null : await this.#settled(known, { looksMax: 3 });
    this.#ends.onEnded({ kind: 'failed', error, settled });
  }

  #cutNow(): Cut {
    const nowMs = this.#deps.now();
    return { afterMs: nowMs - (this.#job().sentAtMs ?? nowMs) };
  }

  /** Where the record says so, its picture is not asked for. */
  async #endIfUncharged(): Promise<boolean> {
    const { traceId } = this.#job();
    if (traceId === null) return false;
    const settled = await this.#deps.service.readState(traceId);
    // `cancel` ends it, or has done so.
    if (this.#list.find(this.#id)?.state.kind !== 'checking') return true;
    if (settled.status !== 'failed' && settled.status !== 'canceled') return false;
    this.#ends.onEnded({ kind: 'failed', error: null, settled });
    return true;
  }

  async #endWithoutImage(thrown: unknown): Promise<void> {
    const settled = await this.#settled(this.#job().traceId, { looksMax: 3 });
    if (settled?.status === 'succeeded') this.#ends.onEnded({ kind: 'image_lost', settled });
    // What was said to the repeat is no reason where the record has one.
    else
      this.#ends.onEnded({ kind: 'failed', error: settled ? null : toApiError(thrown), settled });
  }

  async #cancelAtService(): Promise<void> {
    for (let looks = 0; looks < jobLimits.cancelLooksMax; looks++) {
      const { state, trace_id } = await this.#deps.service.cancel(this.#id);
      if (trace_id !== null) this.#change({ traceId: trace_id });
      if (this.#list.find(this.#id)?.state.kind !== 'cancelling') return undefined;
      const isConnected = this.#stop !== null;
      if (state !== 'unknown' && !isConnected) return this.#afterCancel();
      if (state === 'stopping') return undefined;
      // What comes of that is `#onCancelledConnection`.
      if (state === 'elsewhere') return this.#stop?.abort();
      if (state === 'goes_on') return this.#takeBackCancel('too_late');
      // Its answer has begun, so it runs: on another instance, or it ends this very moment.
      if (this.#job().traceId !== null) {
        return isConnected ? this.#takeBackCancel('failed') : this.#afterCancel();
      }
      // Not there yet: what is not sent by now need not be.
      this.#stop?.abort();
      await this.#deps.wait(jobLimits.cancelWaitMs);
    }
    this.#ends.onEnded({ kind: 'cancelled', settled: null });
    return undefined;
  }

  #takeBackCancel(cancel: 'too_late' | 'failed'): void {
    if (this.#list.find(this.#id)?.state.kind !== 'cancelling') return;
    this.#change({ state: { kind: 'running', cancel } });
  }

  /** While it was being sent, nobody knows yet whether it arrived: `#cancelAtService` finds out. */
  async #onCancelledConnection(): Promise<void> {
    if (this.#job().traceId !== null) await this.#afterCancel();
  }

  /** Nothing more comes of a canceled request: its record says how it ended. */
  async #afterCancel(): Promise<void> {
    const { traceId } = this.#job();
    const cut = this.#cutNow();
    const settled = await this.#settled(traceId, { looksMax: jobLimits.settleLooksMax });
    if (!isActive(this.#job())) return;
    switch (settled?.status) {
      case 'canceled':
        this.#ends.onEnded({ kind: 'cancelled', settled });
        break;
      case 'failed':
        this.#ends.onEnded({ kind: 'failed', error: null, settled });
        break;
      case 'succeeded':
        await this.recover(cut);
        break;
      default:
        this.#ends.onEnded({ kind: 'unresolved', cut });
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
}
