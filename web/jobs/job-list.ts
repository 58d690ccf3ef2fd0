/** The jobs of this tab, and who wants to know of them. What they do is not decided here. */
import { isActive, type Job, type JobState } from './job.ts';

export type JobEvent = {
  kind: 'started' | 'preview' | 'finished' | 'failed' | 'cancelled' | 'unresolved';
  job: Job;
};

export class JobList {
  readonly #listeners = new Set<() => void>();
  readonly #watchers = new Set<(event: JobEvent) => void>();
  #jobs: readonly Job[] = [];

  /** The oldest first. */
  jobs(): readonly Job[] {
    return this.#jobs;
  }

  find(id: string): Job | undefined {
    return this.#jobs.find((job) => job.id === id);
  }

  /** Jobs under way are never forgotten. */
  must(id: string): Job {
    const job = this.find(id);
    if (!job) throw new Error('there is no such job');
    return job;
  }

  add(jobs: readonly Job[]): void {
    // A page that was left may have asked for them before.
    this.#set([...this.#jobs, ...jobs].toSorted(byCreation));
  }

  change(id: string, changes: Partial<Job>): void {
    this.#set(this.#jobs.map((job) => (job.id === id ? { ...job, ...changes } : job)));
  }

  forget(id: string): void {
    this.#set(this.#jobs.filter((job) => job.id !== id || isActive(job)));
  }

  /** Keeps so many of those that have ended, the latest, and what is paid for and nowhere else. */
  forgetOldest(endedMax: number): void {
    const ended = this.#jobs
      .filter((job) => !isActive(job) && !hasOnlyPicture(job))
      .toSorted(byEnd);
    const surplus = new Set(ended.slice(0, Math.max(0, ended.length - endedMax)));
    if (surplus.size > 0) this.#set(this.#jobs.filter((job) => !surplus.has(job)));
  }

  tell(kind: JobEvent['kind'], id: string): void {
    const job = this.find(id);
    if (!job) return;
    for (const watcher of this.#watchers) {
      try {
        watcher({ kind, job });
      } catch (error) {
        // Whoever only watches is in the way of no request: what comes next is that its picture is kept.
        reportError(error);
      }
    }
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  watch(watcher: (event: JobEvent) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #set(jobs: readonly Job[]): void {
    this.#jobs = jobs;
    for (const listener of this.#listeners) listener();
  }
}

/** The gallery could not take it. */
function hasOnlyPicture({ state }: Job): boolean {
  return state.kind === 'done' && state.result.kept.kind === 'failed';
}

function byCreation(one: Job, other: Job): number {
  return one.createdAt.localeCompare(other.createdAt);
}

function byEnd(one: Job, other: Job): number {
  return (one.endedAtMs ?? 0) - (other.endedAtMs ?? 0);
}

/** What the end of a job is to those who watch. */
export function eventOf({ kind }: JobState): JobEvent['kind'] {
  if (kind === 'done') return 'finished';
  if (kind === 'cancelled' || kind === 'unresolved') return kind;
  return 'failed';
}
