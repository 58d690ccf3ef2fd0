import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { followLink } from './follow-link.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Makes a folder for its owner only, and those above it that are not there yet. Node's own way tries
 * for ever in a file system that takes none, such as `/proc`.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (isFolder(folder)) return;
    refuseOther(folder);
    throw error;
  }
}

/** Refuses what is in the place of a folder, and a link to one that is not there. */
export function refuseOther(folder: string): void {
  const path = followLink(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new OperatorError(`${folder} is no folder`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
