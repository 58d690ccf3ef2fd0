/** The embedded database as a file: copied, checked, taken for oneself. */
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import Sqlite, { type Database as SqliteHandle } from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { OperatorError } from '../../lib/operator-error.ts';
import type { Schema } from '../schema.ts';
import { openSqliteReader } from './reader.ts';

export interface FileCopy {
  from: string;
  /** A file that is not there, or empty. */
  to: string;
  onProgress: (done: number, total: number) => void;
}

/** Four megabytes: the event loop goes on in between. */
const pagesPerStep = 1_000;

const headerText = 'SQLite format 3\0';

/** The files SQLite keeps beside a database; they belong to that very file. */
export const companions = ['-wal', '-shm', '-journal'] as const;

/**
 * Copies a database in the state it has at this moment, while others go on writing to it. The copy
 * is one file that needs no other.
 */
export async function copySqliteFile({ from, to, onProgress }: FileCopy): Promise<void> {
  // Fails with the reason, of which SQLite says nothing.
  closeSync(openSync(from, 'r'));
  const source = new Sqlite(driverPath(from), { readonly: true, fileMustExist: true });
  try {
    // The open transaction holds the state: without it every write by another process would make
    // the copy begin again.
    source.exec('begin');
    source.prepare('select count(*) from sqlite_schema').get();
    await source.backup(driverPath(to), {
      progress: ({ totalPages, remainingPages }) => {
        onProgress(totalPages - remainingPages, totalPages);
        return pagesPerStep;
      },
    });
  } finally {
    source.close();
  }
  withFile(to, (copy) => copy.pragma('journal_mode = delete'));
}

/**
 * What is wrong with a database file to which nobody writes; empty when it is whole. Read in a thread of its own, so
 * that a signal is heard meanwhile: a large one takes minutes.
 */
export async function checkSqliteFile(file: string): Promise<readonly string[]> {
  const reader = openSqliteReader(driverPath(file));
  try {
    return [...(await integrityProblems(reader)), ...(await foreignKeyProblems(reader))];
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [error.message];
  } finally {
    await reader.destroy();
  }
}

/** Whether a database file that nobody has open has a table of this name. */
export function hasTable(file: string, name: string): boolean {
  return withFile(file, (sqlite) => {
    const table = sqlite.prepare("select 1 from sqlite_schema where type = 'table' and name = ?");
    return table.get(name) !== undefined;
  });
}

/**
 * Whether nobody else, service or command, has the database open. Everything that was committed is
 * in the file itself afterwards. Throws when the file cannot be read as a database.
 */
export function isAlone(file: string): boolean {
  return withFile(file, (sqlite) => {
    sqlite.pragma('busy_timeout = 0');
    try {
      // Leaving the shared log is possible for the last connection only.
      return sqlite.pragma('journal_mode = delete', { simple: true }) === 'delete';
    } catch (error) {
      if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
      throw error;
    }
  });
}

/** False for what SQLite cannot have written. Unlike opening, looking changes nothing beside the file. */
export function hasDatabaseHeader(file: string): boolean {
  const header = Buffer.alloc(headerText.length);
  const descriptor = openSync(file, 'r');
  try {
    const bytes = readSync(descriptor, header, 0, header.length, 0);
    // Nothing yet is a database without any table.
    return bytes === 0 || header.toString('latin1') === headerText;
  } finally {
    closeSync(descriptor);
  }
}

export function isDamage(error: unknown): error is Error {
  return (
    error instanceof Sqlite.SqliteError &&
    (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'))
  );
}

/** Removes a database that is of no use, with everything beside it. */
export function removeSqliteFile(file: string): void {
  for (const suffix of ['', ...companions]) rmSync(`${file}${suffix}`, { force: true });
}

/** The driver cuts white space off both ends of a path, and then opens, or makes, another file. */
export function driverPath(file: string): string {
  const path = resolve(file);
  if (path === path.trimEnd()) return path;
  throw new OperatorError(
    `the name "${file}" ends in white space, which the driver of the database cuts off: choose another`,
  );
}

async function integrityProblems(reader: Kysely<Schema>): Promise<readonly string[]> {
  // One column of texts; a whole database answers with a single `ok`.
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(reader);
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
}

async function foreignKeyProblems(reader: Kysely<Schema>): Promise<readonly string[]> {
  // The columns of the pragma, which SQLite documents.
  const pragma = sql<{ table: string; parent: string }>`pragma foreign_key_check`;
  const { rows } = await pragma.execute(reader);
  return rows.map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`);
}

function withFile<T>(file: string, work: (sqlite: SqliteHandle) => T): T {
  const sqlite = new Sqlite(driverPath(file), { fileMustExist: true });
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}
