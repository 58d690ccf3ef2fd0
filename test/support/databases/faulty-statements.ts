/** SQLite as it fails at one statement: the first after `arm`, the second, and so on. */
import Sqlite, { type Database as SqliteHandle, type Statement } from 'better-sqlite3';
import { onTestFinished, vi } from 'vitest';

export type StatementFault =
  /** It does not happen, and the transaction goes on. */
  | 'fails'
  /** The same, and SQLite gives the whole transaction up, as it does where the disk is full. */
  | 'ends the transaction';

interface Plan {
  fault: StatementFault;
  /** Counted from 1. */
  at: number;
}

/** Counts what is done with SQLite on this thread, by whatever connection. */
export class FaultyStatements {
  #plan: Plan | null = null;
  #count = 0;

  /** Until the end of the test. */
  constructor() {
    const { prototype } = Sqlite;
    const statement = new Sqlite(':memory:').prepare('select 1');
    // What all statements have in common: the driver does not export it.
    const statements = Object.getPrototypeOf(statement) as Statement;
    this.#watch(prototype, 'exec', (handle, text) => ({ handle, text: String(text) }));
    for (const method of ['run', 'get', 'all'] as const) {
      this.#watch(statements, method, ({ database, source }) => ({
        handle: database,
        text: source,
      }));
    }
  }

  arm(plan: Plan): void {
    this.#plan = plan;
    this.#count = 0;
  }

  /** Whether the fault has happened; from here on all works. */
  disarm(): boolean {
    const hasHappened = this.#plan !== null && this.#count >= this.#plan.at;
    this.#plan = null;
    return hasHappened;
  }

  #watch<T extends object, M extends keyof T & string>(
    prototype: T,
    method: M,
    describe: (self: T, first: unknown) => { handle: SqliteHandle; text: string },
  ): void {
    // Each of them is a method.
    const own = prototype[method] as (...args: unknown[]) => unknown;
    const next = () => this.#next();
    const spy = vi.spyOn(prototype, method as never);
    spy.mockImplementation(function (this: T, ...args: unknown[]) {
      const fault = next();
      if (fault) fail(describe(this, args[0]), fault);
      return own.apply(this, args);
    } as never);
    onTestFinished(() => spy.mockRestore());
  }

  #next(): StatementFault | null {
    if (!this.#plan) return null;
    this.#count++;
    return this.#count === this.#plan.at ? this.#plan.fault : null;
  }
}

function fail(
  { handle, text }: { handle: SqliteHandle; text: string },
  fault: StatementFault,
): never {
  // Whatever else goes wrong, to give up a transaction always ends it.
  const ends = fault === 'ends the transaction' || text === 'rollback';
  if (ends && handle.inTransaction) handle.prepare('rollback').run();
  throw fault === 'fails'
    ? new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
    : new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
}
