import { totalmem } from 'node:os';

/** Bytes of memory that this process may use: what its container allows, or what the machine has. */
export function usableMemoryBytes(): number {
  const allowed = process.constrainedMemory();
  // Zero where nobody knows, and beyond the machine where nothing was limited.
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}
