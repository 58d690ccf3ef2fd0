/**
 * A lock that one process has at a time, and that the system takes back where that process dies. Node has none, SQLite
 * does: it is the lock of an empty database.
 */
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import Sqlite, { type Database as SqliteHandle } from 'better-sqlite3';
import { OperatorError } from '../lib/operator-error.ts';
import { isBusy, isUnwritable } from './database-error.ts';
import { driverPath, isDamage } from './sqlite/file.ts';

/** @returns what gives it back and removes its file, any number of times; null where somebody has it */
export function takeFileLock(file: string): (() => void) | null {
  // SQLite would make the file as well, but could not say which one it has opened.
  closeSync(openSync(file, 'a', 0o600));
  const opened = numberOf(file);
  const sqlite = new Sqlite(driverPath(file), { timeout: 0 });
  try {
    // Nothing is written, and nothing beside it either.
    sqlite.pragma('journal_mode = memory');
    sqlite.exec('begin exclusive');
    // Whoever had it may have removed the file since it was opened, and somebody else made another.
    if (opened !== null && numberOf(file) === opened) return () => giveBack(sqlite, file);
  } catch (error) {
    sqlite.close();
    if (isBusy(error)) return null;
    throw withRemedy(error, file);
  }
  sqlite.close();
  return null;
}

/** Looks without making the file. What a dead process left of it is no lock, nor what cannot be looked at. */
export function isFileLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const sqlite = new Sqlite(driverPath(file), { readonly: true, timeout: 0 });
    try {
      sqlite.exec('select 1 from sqlite_schema');
    } finally {
      sqlite.close();
    }
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    // It was given back meanwhile, or is another account's, of which nobody can say.
    if (isUnwritable(error)) return false;
    throw withRemedy(error, file);
  }
}

function withRemedy(error: unknown, file: string): unknown {
  if (!isDamage(error)) return error;
  return new OperatorError(`${file} should be a lock, but somebody has written into it: remove it`);
}

/** By which the system knows a file, whatever its name. */
function numberOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? null;
}

function giveBack(sqlite: SqliteHandle, file: string): void {
  if (!sqlite.open) return;
  // Before somebody else has it, whose file it would be.
  rmSync(file, { force: true });
  sqlite.close();
}
