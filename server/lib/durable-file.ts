/** What it takes for a file to survive a power cut, and to appear whole or not at all. */
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Puts a finished draft, from the same folder tree, in its place; what is there already gives way. */
export function placeFile(draft: string, file: string): void {
  syncFile(draft);
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** Gives a file a second name, so that it stays when its first is taken. Fails when that name is taken. */
export function keepFile(file: string, keptAs: string): void {
  try {
    linkSync(file, keptAs);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    copyFileSync(file, keptAs, constants.COPYFILE_EXCL);
    syncFile(keptAs);
  }
  syncFolder(dirname(keptAs));
}

function syncFile(file: string): void {
  sync(file, 'r+');
}

function syncFolder(folder: string): void {
  // Windows opens no folders; there the rename itself is durable.
  if (process.platform !== 'win32') sync(folder, 'r');
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Some file systems know one name per file only. */
function hasNoLinks(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(String(error.code))
  );
}
