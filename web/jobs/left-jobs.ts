/**
 * Requests that outlive their page: writes down those under way, and goes on with those that a page has left behind when
 * it was closed or loaded again. *Does not know* what becomes of them: that is the runner's.
 */
import type { UserGallery } from '../gallery/gallery.ts';
import type { StoredJob, StoredJobFacts } from '../gallery/kept/stored-job.ts';
import type { PageLives } from '../lib/page-lives.ts';
import { endsWithPage, type Job } from './job.ts';
import { jobLimits } from './job-limits.ts';
import type { JobRunner } from './job-runner.ts';

export interface LeftJobsDeps {
  pageId: string;
  lives: PageLives;
  gallery: Pick<UserGallery, 'isForgotten' | 'isKept' | 'jobs' | 'subscribe'>;
  runner: Pick<JobRunner, 'jobs' | 'subscribe' | 'takeUp'>;
  /** Milliseconds by a clock that only goes forward, as of the runner. */
  now: () => number;
  /** Milliseconds since 1970. */
  wallMs: () => number;
  /** Whether this user is still signed in on this page. */
  isSignedIn: () => boolean;
  /** Called when another answer of `has` is to be had. */
  onChange: () => void;
}

export class LeftJobs {
  readonly #deps: LeftJobsDeps;
  /** What is known to be written down, or not to be; whatever could not be is not tried again. */
  readonly #states = new Map<string, 'saving' | 'saved' | 'not_saved'>();
  #isKeeping: boolean;

  constructor(deps: LeftJobsDeps) {
    this.#deps = deps;
    this.#isKeeping = isKeeping(deps.gallery);
    deps.runner.subscribe(() => this.#update());
    deps.gallery.subscribe(() => this.#onGalleryChange());
    this.#update();
  }

  /** Whether a page after this one can go on with it. */
  has(id: string): boolean {
    return this.#states.get(id) === 'saved';
  }

  /** Goes on with those whose page is gone, also when it goes later; forgets those that nobody can answer for any more. */
  async look(): Promise<void> {
    const { gallery, lives, pageId, isSignedIn } = this.#deps;
    if (!this.#isKeeping || !isSignedIn()) return;
    // Where they cannot be read, there is nothing to go on with.
    const stored = await gallery.jobs.list().catch(() => []);
    for (const job of stored) {
      if (this.#isOver(job)) void this.#delete(job.id);
      else if (job.pageId !== pageId) lives.afterEnd(job.pageId, () => this.#take(job.pageId));
    }
  }

  async #take(from: string): Promise<void> {
    const { gallery, lives, pageId, runner, isSignedIn } = this.#deps;
    await lives.begin();
    if (!this.#isKeeping || !isSignedIn()) return;
    const taken = await gallery.jobs.take(from, pageId);
    const wanted = taken.filter((job) => !this.#isOver(job));
    for (const { id } of wanted) this.#states.set(id, 'saved');
    runner.takeUp(wanted.map((job) => ({ ...job, sentAtMs: this.#sentAtMs(job) })));
  }

  /** Writes down what is not yet, and deletes what no longer is to be. Nothing waits for it. */
  #update(): void {
    const toSave = this.#deps.runner.jobs().filter(outlivesPage);
    const ids = new Set(toSave.map(({ id }) => id));
    for (const [id, state] of this.#states) {
      if (ids.has(id) || state === 'saving') continue;
      this.#states.delete(id);
      if (state === 'saved') void this.#delete(id);
    }
    if (!this.#isKeeping) return;
    for (const job of toSave) if (!this.#states.has(job.id)) void this.#save(job);
  }

  async #save(job: SentJob): Promise<void> {
    const { gallery, lives } = this.#deps;
    this.#states.set(job.id, 'saving');
    let isSaved = false;
    try {
      await lives.begin();
      isSaved = await gallery.jobs.save(this.#storedOf(job));
    } catch {
      // No room, or no place: it ends with the page then.
    }
    // All was deleted meanwhile.
    if (this.#states.get(job.id) !== 'saving') return;
    this.#states.set(job.id, isSaved ? 'saved' : 'not_saved');
    this.#update();
    this.#deps.onChange();
  }

  async #delete(id: string): Promise<void> {
    // What is left of it is too old one day.
    await this.#deps.gallery.jobs.delete(id).catch(() => {});
  }

  /** What was written down goes with the gallery that it was in. */
  #onGalleryChange(): void {
    const isKept = isKeeping(this.#deps.gallery);
    if (isKept === this.#isKeeping) return;
    this.#isKeeping = isKept;
    this.#states.clear();
    this.#update();
    this.#deps.onChange();
  }

  #storedOf({ id, order, mask, price, createdAt, traceId, sentAtMs }: SentJob): StoredJob {
    const { now, pageId, wallMs } = this.#deps;
    const sentAt = new Date(wallMs() - (now() - sentAtMs)).toISOString();
    return { id, pageId, traceId, order, mask, price, createdAt, sentAt };
  }

  #sentAtMs({ sentAt }: StoredJobFacts): number {
    return this.#deps.now() - (this.#deps.wallMs() - Date.parse(sentAt));
  }

  #isOver({ sentAt }: StoredJobFacts): boolean {
    return this.#deps.wallMs() - Date.parse(sentAt) > jobLimits.leftMsMax;
  }
}

type SentJob = Job & { traceId: string; sentAtMs: number };

/** One that is known to have arrived, and of which there is something to be had: its picture, or how it ended. */
function outlivesPage(job: Job): job is SentJob {
  const { state, traceId, sentAtMs } = job;
  return endsWithPage(job) && state.kind !== 'queued' && traceId !== null && sentAtMs !== null;
}

function isKeeping(gallery: LeftJobsDeps['gallery']): boolean {
  return gallery.isKept() && !gallery.isForgotten();
}
