import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { OperatorError } from './operator-error.ts';

/**
 * Where a file or folder really is: on another disk, if it is a link. Refuses one that leads nowhere: most
 * likely its disk is not mounted, and what would be made in its place would be taken for what is there.
 */
export function followLink(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  if (existsSync(path)) return realpathSync(path);
  throw new OperatorError(
    `${path} is a link to ${readlinkSync(path)}, which is not there: mount its disk, or remove the link`,
  );
}
