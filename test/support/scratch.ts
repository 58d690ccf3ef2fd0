import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryFolder = '/dev/shm';
/** Containers often give `/dev/shm` a mere 64 MB. */
const memoryBytesMin = 1_000_000_000;

/**
 * Makes an empty folder for files that nobody will miss: in memory where the machine offers that,
 * because a test's database is hundreds of small files.
 */
export function makeScratchFolder(name: string): string {
  return mkdtempSync(join(hasMemoryFolder() ? memoryFolder : tmpdir(), `tintype-${name}-`));
}

function hasMemoryFolder(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= memoryBytesMin;
  } catch {
    return false;
  }
}
