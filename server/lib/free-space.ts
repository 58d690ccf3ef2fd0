import { statfs } from 'node:fs/promises';

/** The bytes that may still be written to the disk of a file, by whoever is not root. */
export async function freeSpaceFor(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(file);
  return bavail * bsize;
}
