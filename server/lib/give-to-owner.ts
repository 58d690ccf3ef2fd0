import { chownSync, statSync } from 'node:fs';

/**
 * Gives a file that root makes to the owner of another path: where root works on an installation, the service is another
 * user as a rule, and could not open a file of root's.
 */
export function giveToOwnerOf(path: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(path);
  if (uid !== 0) chownSync(file, uid, gid);
}
