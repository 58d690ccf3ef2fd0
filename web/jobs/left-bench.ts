/** A browser with the pages of one user, at a time that stands still: what one leaves, another may find. */
import { createMemoryGallery } from '../gallery/kept/memory-gallery.ts';
import type { StoredJob, StoredJobs } from '../gallery/kept/stored-job.ts';
import { TabBench } from '../gallery/tab-bench.ts';
import type { PageLives } from '../lib/page-lives.ts';
import { JobBench } from './job-bench.ts';
import { LeftJobs } from './left-jobs.ts';

export class LeftBench {
  readonly stored = new Map<string, StoredJob>();
  readonly tabs = new TabBench({
    open: () => ({ ...createMemoryGallery(), jobs: this.#store() }),
    clear: () => this.stored.clear(),
  });
  /** What the next saves wait for. */
  readonly saves: Promise<void>[] = [];
  wallMs = Date.UTC(2026, 0, 1);
  readonly #living = new Set<string>();
  readonly #waiting: { id: string; work: () => Promise<void> }[] = [];
  #pages = 0;

  /** Jobs of later pages go by other names. */
  open({ isSignedIn = true } = {}) {
    const number = ++this.#pages;
    const pageId = `page-${number}`;
    const jobs = new JobBench({ name: `job-${number}` });
    const gallery = this.tabs.openTab();
    const changes: boolean[] = [];
    const left = new LeftJobs({
      pageId,
      lives: this.#livesOf(pageId),
      gallery,
      runner: jobs.runner,
      now: () => jobs.now,
      wallMs: () => this.wallMs,
      isSignedIn: () => isSignedIn,
      onChange: () => changes.push(true),
    });
    return { ...jobs, jobs, gallery, left, pageId };
  }

  /** However it ends; whoever waits for that goes on. */
  async end(pageId: string): Promise<void> {
    this.#living.delete(pageId);
    const due = this.#waiting.filter(({ id }) => id === pageId);
    for (const { work } of due) await work();
  }

  ids(): readonly string[] {
    return [...this.stored.keys()];
  }

  #livesOf(pageId: string): PageLives {
    return {
      begin: async () => void this.#living.add(pageId),
      afterEnd: (id, work) => {
        if (this.#living.has(id)) this.#waiting.push({ id, work });
        else void work();
      },
    };
  }

  #store(): StoredJobs {
    return {
      save: async (job) => {
        await this.saves.shift();
        this.stored.set(job.id, job);
        return true;
      },
      list: async () => [...this.stored.values()],
      take: async (from, to) => {
        const found = [...this.stored.values()].filter(({ pageId }) => pageId === from);
        const taken = found.map((job) => ({ ...job, pageId: to }));
        for (const job of taken) this.stored.set(job.id, job);
        return taken;
      },
      delete: async (id) => void this.stored.delete(id),
    };
  }
}
