/** One restore at a time puts a database in its place, and nobody begins to work with the one that gives way. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFileLocked, takeFileLock } from '../../db/file-lock.ts';
import { followLink } from '../../lib/follow-link.ts';
import { giveToOwnerOf } from '../../lib/give-to-owner.ts';
import { OperatorError } from '../../lib/operator-error.ts';

/** @returns what ends it */
export function beginRestore(file: string): () => void {
  const lock = lockOf(file);
  const end = takeFileLock(lock);
  if (!end) {
    throw new OperatorError(
      `another restore to ${file} is under way: wait until it has ended, and look at what it restored`,
    );
  }
  // The service looks at it, and takes over one that a killed restore has left.
  giveToOwnerOf(existsSync(file) ? file : dirname(file), lock);
  return end;
}

/** Refuses the embedded database while a restore is to take its place. */
export function refuseWhileRestored(file: string): void {
  // What is wrong with a link that leads nowhere, or a folder that is none, is said by whoever opens it.
  const current = existsSync(file) ? followLink(file) : file;
  if (!isFileLocked(lockOf(current))) return;
  throw new OperatorError(
    `a restore is about to take the place of ${current}: try again when it has ended`,
  );
}

function lockOf(file: string): string {
  return `${file}.restore`;
}
