import type { Database as SqliteHandle, Statement } from 'better-sqlite3';

/**
 * Runs all writes that wait at one moment in one SQLite transaction, so that they share one
 * durable commit. A job that throws undoes only itself. A job's promise resolves after the commit,
 * never before.
 */
export class GroupCommit {
  readonly #sqlite: SqliteHandle;
  readonly #commitNow: Statement;
  readonly #exclusively: (work: () => Promise<void>) => Promise<void>;
  #waiting: Job[] = [];
  #scheduled = false;

  /** @param exclusively runs `work` while nobody else uses the connection */
  constructor(sqlite: SqliteHandle, exclusively: (work: () => Promise<void>) => Promise<void>) {
    this.#sqlite = sqlite;
    this.#commitNow = sqlite.prepare('commit');
    this.#exclusively = exclusively;
  }

  /** @param run synchronous writes on the connection, and nothing else: it may run a second time */
  add<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(makeJob(run, resolve, reject));
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After this turn's input has been read, so that everything that arrived together commits together.
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    let jobs: Job[] = [];
    try {
      await this.#exclusively(async () => {
        this.#scheduled = false;
        jobs = this.#waiting;
        this.#waiting = [];
        if (!(await this.#commitTogether(jobs))) await this.#commitApart(jobs);
      });
    } catch (error) {
      this.#scheduled = false;
      for (const job of jobs.length > 0 ? jobs : this.#waiting.splice(0)) job.reject(error);
    }
  }

  /** The usual case: none throws. Otherwise nothing has happened, and false. */
  async #commitTogether(jobs: readonly Job[]): Promise<boolean> {
    await beginImmediate(this.#sqlite);
    try {
      for (const job of jobs) job.run();
    } catch {
      if (this.#sqlite.inTransaction) this.#sqlite.exec('rollback');
      return false;
    }
    this.#commit(jobs);
    return true;
  }

  /** Each job in a savepoint of its own, which costs as much as a job: whichever throws, throws again. */
  async #commitApart(jobs: readonly Job[]): Promise<void> {
    await beginImmediate(this.#sqlite);
    try {
      for (const job of jobs) this.#runInSavepoint(job);
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#sqlite.exec('rollback');
      throw error;
    }
    this.#commit(jobs);
  }

  #commit(jobs: readonly Job[]): void {
    try {
      this.#commitNow.run();
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#sqlite.exec('rollback');
      throw error;
    }
    for (const job of jobs) job.settle();
  }

  #runInSavepoint(job: Job): void {
    try {
      inSavepoint(this.#sqlite, () => job.run());
    } catch (error) {
      // A full disk or a failed read ends the whole transaction by itself.
      if (!this.#sqlite.inTransaction) throw error;
      job.fail(error);
    }
  }
}

/** Runs `work` inside the transaction under way; when it throws, it undoes only itself. */
export function inSavepoint<T>(sqlite: SqliteHandle, work: () => T): T {
  sqlite.exec('savepoint job');
  try {
    const result = work();
    sqlite.exec('release job');
    return result;
  } catch (error) {
    if (sqlite.inTransaction) undoToSavepoint(sqlite);
    throw error;
  }
}

/** What cannot be undone by itself goes with the whole transaction: a part of it must never be committed. */
function undoToSavepoint(sqlite: SqliteHandle): void {
  try {
    sqlite.exec('rollback to job');
    sqlite.exec('release job');
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('rollback');
    throw error;
  }
}

interface Job {
  run(): void;
  /** Notes that the job's own writes were undone; `settle` reports it. */
  fail(error: unknown): void;
  /** Reports the outcome, once it is durable. */
  settle(): void;
  reject(error: unknown): void;
}

function makeJob<T>(
  run: () => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Job {
  let report: () => void = () => reject(new Error('the job did not run'));
  return {
    run: () => {
      const value = run();
      report = () => resolve(value);
    },
    fail: (error) => {
      report = () => reject(error);
    },
    settle: () => report(),
    reject,
  };
}

/** A commit takes a millisecond or few, so the lock is free soon. */
const soonRetryMs = 1;
const soonTriesMax = 20;
const busyRetryMs = 10;
const busyTriesMax = 500;

/**
 * Starts a write transaction. While another process holds the write lock it waits in short naps
 * between tries, so that the event loop goes on; after about five seconds it throws SQLITE_BUSY.
 */
export async function beginImmediate(sqlite: SqliteHandle): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      sqlite.exec('begin immediate');
      return;
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
      if (!busy || tries >= busyTriesMax) throw error;
      const napMs = tries <= soonTriesMax ? soonRetryMs : busyRetryMs;
      await new Promise((resolve) => setTimeout(resolve, napMs));
    }
  }
}
