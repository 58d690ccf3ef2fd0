/**
 * Runs image requests apart from any page: they go on while the user looks at other ones. At most
 * as many as the user has slots are under way; the rest waits here for its turn. What happens to one
 * of them under way is not decided here, but in its course.
 */
import type { ApiError } from '../api/api-error.ts';
import type { FinishedImage } from '../api/image-stream.ts';
import {
  type Cut,
  isActive,
  type Job,
  type JobState,
  type Kept,
  takesSlot,
  wasCancelled,
} from './job.ts';
import { type CourseDeps, JobCourse } from './job-course.ts';
import { jobLimits } from './job-limits.ts';
import { eventOf, type JobEvent, JobList } from './job-list.ts';

export interface RunnerDeps extends CourseDeps {
  /** ISO 8601 in UTC. */
  time: () => string;
  /** How many requests the user may have running, by the service's word. */
  slotsMax: () => number;
  /** Puts a finished picture into the gallery. */
  keep: (job: Job, finished: FinishedImage) => Promise<Kept>;
}

export type NewJob = Pick<Job, 'id' | 'order' | 'mask' | 'price'>;

/** Under way when its page was left. */
export type LeftJob = NewJob & Pick<Job, 'createdAt' | 'sentAtMs' | 'traceId'>;

export class JobRunner {
  readonly #deps: RunnerDeps;
  readonly #list = new JobList();
  /** Of those under way. */
  readonly #courses = new Map<string, JobCourse>();
  /** Refused by the service for now: they do not take a free slot before it is over. */
  readonly #resting = new Set<string>();
  /** Pictures that the gallery does not have yet. */
  readonly #finished = new Map<string, FinishedImage>();
  /** Those that are being put into it now. */
  readonly #keeping = new Set<string>();
  #isKeepingFull = false;
  /** Something has changed in the gallery since they were last tried. */
  #mayHaveRoom = false;

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

  /** Goes on with what a page before this one has left: finds out what became of it. */
  takeUp(left: readonly LeftJob[]): void {
    const cut: Cut = { afterMs: null };
    const taken = left
      .filter(({ id }) => !this.#list.find(id))
      .map(
        ({ id, order, mask, price, createdAt, sentAtMs, traceId }): Job => ({
          id,
          order,
          mask,
          price,
          createdAt,
          sentAtMs,
          endedAtMs: null,
          traceId,
          preview: null,
          state: { kind: 'checking', cut },
          recovered: null,
        }),
      );
    this.#list.add(taken);
    for (const { id } of taken) void this.#newCourse(id).recover(cut);
  }

  /** Also called when the service says that the user has more slots than before. */
  startWaiting(): void {
    let free = this.#deps.slotsMax() - this.jobs().filter(takesSlot).length;
    for (const { id, state } of this.jobs()) {
      if (free <= 0) return;
      if (state.kind !== 'queued' || this.#resting.has(id)) continue;
      free--;
      void this.#newCourse(id).run();
    }
  }

  async cancel(id: string): Promise<void> {
    const job = this.#list.find(id);
    if (!job || !isActive(job)) return;
    if (job.state.kind === 'queued') this.#end(id, { kind: 'cancelled', settled: null });
    else await this.#courses.get(id)?.cancel();
  }

  /** Looks once more what became of a request whose connection was cut. */
  check(id: string): void {
    const state = this.#list.find(id)?.state;
    if (state?.kind !== 'unresolved') return;
    this.#list.change(id, { endedAtMs: null });
    void this.#newCourse(id).recover(state.cut);
  }

  /** The connection is back, perhaps: looks at all of which nobody knows what became of them. */
  checkAll(): void {
    for (const { id } of this.jobs()) this.check(id);
  }

  /** No longer to be shown; what is under way stays. */
  forget(id: string): void {
    this.#list.forget(id);
    if (!this.#list.find(id)) this.#finished.delete(id);
  }

  /** Tries once more to put a picture into the gallery; null when there is none to be put there. */
  async keepAgain(id: string): Promise<Kept | null> {
    const job = this.#list.find(id);
    const finished = this.#finished.get(id);
    if (!job || !finished || this.#keeping.has(id)) return null;
    this.#keeping.add(id);
    const kept = await this.#deps.keep(job, finished);
    this.#keeping.delete(id);
    this.setKept(id, kept);
    return kept;
  }

  /** There may be room in the gallery now: those for which there was none are put there, one after the other. */
  async keepFull(): Promise<void> {
    this.#mayHaveRoom = true;
    if (this.#isKeepingFull) return;
    this.#isKeepingFull = true;
    while (this.#mayHaveRoom) {
      this.#mayHaveRoom = false;
      for (const job of this.jobs()) if (wasFull(job)) await this.keepAgain(job.id);
    }
    this.#isKeepingFull = false;
  }

  /** The gallery has it now, or has not. */
  setKept(id: string, kept: Kept): void {
    if (kept.kind === 'saved') this.#finished.delete(id);
    const state = this.#list.find(id)?.state;
    if (state?.kind !== 'done') return;
    // What the gallery has need not be here as well.
    const image = kept.kind === 'saved' ? null : state.result.image;
    this.#list.change(id, { state: { kind: 'done', result: { ...state.result, image, kept } } });
  }

  #newCourse(id: string): JobCourse {
    const course = new JobCourse(id, this.#list, this.#deps, {
      onFinished: (finished) => this.#finish(id, finished),
      onEnded: (state) => this.#end(id, state),
      onRefused: (error) => this.#rest(id, error),
    });
    this.#courses.set(id, course);
    return course;
  }

  /** Back into the queue: other tabs and API keys take the same slots. */
  #rest(id: string, { retryAfterSeconds }: ApiError): void {
    const { refusedWaitMs } = jobLimits;
    this.#courses.delete(id);
    this.#list.change(id, {
      state: { kind: 'queued', wasRefused: true },
      sentAtMs: null,
      // What is sent next has one of its own.
      traceId: null,
      preview: null,
    });
    this.#resting.add(id);
    const ms = Math.max(refusedWaitMs, (retryAfterSeconds ?? 0) * 1_000);
    void this.#deps.wait(ms).then(() => {
      this.#resting.delete(id);
      this.startWaiting();
    });
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
    this.#finished.set(id, finished);
    void this.keepAgain(id);
  }

  #end(id: string, state: JobState): void {
    this.#courses.delete(id);
    this.#list.change(id, { state, preview: null, endedAtMs: this.#deps.now() });
    this.#list.forgetOldest(jobLimits.endedMax);
    this.#list.tell(eventOf(state), id);
    this.startWaiting();
  }
}

function wasFull({ state }: Job): boolean {
  if (state.kind !== 'done') return false;
  const { kept } = state.result;
  return kept.kind === 'failed' && kept.isFull;
}
