import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/**
 * Where a database file was when it was opened. Deleted or replaced, it goes on taking commits until its
 * last reader closes it, and then they are gone: SQLite itself does not look while there is a
 * write-ahead log.
 */
export class FilePlace {
  readonly #file: string;
  readonly #opened: string | null;

  /** @param file just opened */
  constructor(file: string) {
    this.#file = file;
    this.#opened = identityOf(file);
  }

  /** Throws when the file is there no more. Costs some microseconds. */
  requireFile(): void {
    if (this.#opened !== null && identityOf(this.#file) === this.#opened) return;
    throw new Sqlite.SqliteError(
      `${this.#file} was deleted, moved or replaced while it was in use: put it back, or start anew`,
      'SQLITE_READONLY_DBMOVED',
    );
  }
}

/** Null for a file that is not there, or cannot be reached. */
function identityOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}
