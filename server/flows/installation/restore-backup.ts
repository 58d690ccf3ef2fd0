import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findUsedTable } from '../../db/copy-table.ts';
import { isUnavailable } from '../../db/database-error.ts';
import type { Database } from '../../db/db.ts';
import { migrate, migrationStatus } from '../../db/migrate.ts';
import { embeddedFile } from '../../db/open.ts';
import {
  checkSqliteFile,
  companions,
  copySqliteFile,
  hasDatabaseHeader,
  isAlone,
  isDamage,
} from '../../db/sqlite/file.ts';
import { openSqlite } from '../../db/sqlite/sqlite.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import { keepFile, placeFile } from '../../lib/durable-file.ts';
import { followLink } from '../../lib/follow-link.ts';
import { giveToOwnerOf } from '../../lib/give-to-owner.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { isoTime } from '../../lib/time-text.ts';
import { adminChange } from '../admin-change.ts';
import { type BooksReport, verifyBooks } from '../money/verify-books.ts';
import { endAbandoned } from './end-abandoned.ts';
import { beginRestore } from './restore-lock.ts';
import { refuseWhileServed } from './running-services.ts';

export interface Restore {
  dataDir: string;
  /** The backup; it is only read. */
  file: string;
  /** Whether an installation that is in use may give way. */
  overwrite: boolean;
  clock: Clock;
  /** Who restores it, for the audit. */
  actor: string;
  onProgress: (progress: { step: 'copy' | 'check'; part: number }) => void;
  /** Told how to remove what is not in place yet, for whoever ends the process meanwhile. */
  onDraft?: (remove: () => void) => void;
}

export type RestoreOutcome =
  | {
      kind: 'restored';
      books: BooksReport;
      /** Under which name the database that was there is kept; null when there was none. */
      keptAs: string | null;
    }
  /** The backup's books are wrong, so it was not put in place. */
  | { kind: 'wrong books'; books: BooksReport };

/**
 * Puts a backup in the place of the embedded database. Everything is checked on a copy first; until
 * the last moment nothing that was there changes.
 */
export async function restoreBackup(restore: Restore): Promise<RestoreOutcome> {
  const { dataDir, file } = restore;
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new OperatorError(`there is no file ${file}`);
  if (!found.isFile()) throw new OperatorError(`${file} is no file: name the backup itself`);
  try {
    return await restoreFile(restore);
  } catch (error) {
    if (!(error instanceof Error && isUnavailable(error))) throw error;
    const message = `${file} cannot be restored to ${dataDir}: ${error.message}; nothing was changed`;
    throw new OperatorError(message, { cause: error });
  }
}

async function restoreFile(restore: Restore): Promise<RestoreOutcome> {
  const { dataDir, onDraft } = restore;
  makeFolder(dataDir);
  const current = followLink(embeddedFile(dataDir));
  const end = beginRestore(current);
  let remove = end;
  try {
    await refuseUsed(restore, current);
    const folder = mkdtempSync(join(dirname(current), 'restore-'));
    remove = () => {
      rmSync(folder, { recursive: true, force: true });
      end();
    };
    onDraft?.(remove);
    const staged = embeddedFile(folder);
    const books = await stage(restore, staged);
    if (books.violations.length > 0) return { kind: 'wrong books', books };
    const keptAs = await putInPlace(restore, { staged, current });
    return { kind: 'restored', books, keptAs };
  } finally {
    remove();
  }
}

/** @returns what gives way */
async function refuseUsed({ dataDir, overwrite }: Restore, current: string): Promise<FolderState> {
  const state = await inspect(current);
  if (overwrite || state === 'empty' || state === 'unused') return state;
  throw new OperatorError(
    `${dataDir} holds an installation already: --force puts the backup in its place and keeps the old file beside it`,
  );
}

type FolderState = 'empty' | 'unused' | 'used' | 'damaged';

/** What is in the place of the database now. Refuses one that somebody works with. */
async function inspect(file: string): Promise<FolderState> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return 'empty';
  if (!found.isFile()) {
    throw new OperatorError(`${file} is no file: move it out of the way, and restore again`);
  }
  if (!hasDatabaseHeader(file)) return 'damaged';
  try {
    const database = openSqlite(file);
    let used: boolean;
    try {
      await refuseWhileServed(database);
      used = (await findUsedTable(database)) !== null;
    } finally {
      await database.close();
    }
    if (isAlone(file)) return used ? 'used' : 'unused';
  } catch (error) {
    if (isDamage(error)) return 'damaged';
    throw error;
  }
  throw new OperatorError(
    `another process has the database in ${dirname(file)} open, a service or a command: stop it first`,
  );
}

/** Makes a working copy of the backup, and says how its books are. */
async function stage(restore: Restore, staged: string): Promise<BooksReport> {
  await copyBackup(restore, staged);
  restore.onProgress({ step: 'check', part: 0 });
  refuseDamage(restore.file, await checkSqliteFile(staged));
  const database = openSqlite(staged);
  let books: BooksReport;
  try {
    books = await bringUpToDate(database, restore);
  } finally {
    await database.close();
  }
  // Leaves one file, without a log beside it.
  assert(isAlone(staged), 'nobody else has the working copy open');
  return books;
}

async function copyBackup({ file, onProgress }: Restore, staged: string): Promise<void> {
  try {
    await copySqliteFile({
      from: file,
      to: staged,
      onProgress: (done, total) => onProgress({ step: 'copy', part: done / total }),
    });
  } catch (error) {
    if (!isDamage(error)) throw error;
    refuseDamage(file, [error.message]);
  }
}

function refuseDamage(file: string, problems: readonly string[]): void {
  const [problem] = problems;
  if (problem === undefined) return;
  throw new OperatorError(`${file} is damaged or no backup (${problem}); nothing was changed`);
}

async function bringUpToDate(
  database: Database,
  { file, clock, actor }: Restore,
): Promise<BooksReport> {
  const status = await migrationStatus(database);
  if (status.every(({ executedAt }) => executedAt === null)) {
    throw new OperatorError(`${file} is a database, but not one of Tintype; nothing was changed`);
  }
  try {
    await migrate(database);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `the schema of ${file} does not fit this version: ${reason}; nothing was changed`,
      { cause: error },
    );
  }
  await endAbandoned(database, clock);
  await adminChange({ database, clock, actor, reason: null }, async () => {
    const detail = { from: basename(file) };
    const entry = { action: 'installation.restore', subject: 'installation', detail, topic: null };
    return { result: null, entry };
  });
  return await verifyBooks(database);
}

/** @returns under which name the database that was there is kept */
async function putInPlace(
  restore: Restore,
  { staged, current: file }: { staged: string; current: string },
): Promise<string | null> {
  // Checking took its time; somebody may have come.
  const state = await refuseUsed(restore, file);
  const keptAs = `${file}.${isoTime(restore.clock.now()).replaceAll(':', '-')}`;
  const kept = state === 'empty' ? [] : ['', ...companions];
  for (const suffix of kept) {
    if (existsSync(`${file}${suffix}`)) keepFile(`${file}${suffix}`, `${keptAs}${suffix}`);
  }
  // What a crash left beside the old file would be taken for a part of the new one.
  for (const suffix of companions) rmSync(`${file}${suffix}`, { force: true });
  chmodSync(staged, 0o600);
  giveToOwnerOf(state === 'empty' ? dirname(file) : file, staged);
  placeFile(staged, file);
  return state === 'empty' ? null : keptAs;
}
