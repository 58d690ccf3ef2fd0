import { expect } from 'vitest';
import { patience } from '../patience.ts';

/** Counts the callers that a service has seen leave before they had their answer, by what it logs. */
export function countDepartures() {
  let count = 0;

  /** For each line of the log. */
  function note(line: string): void {
    if (line.includes('"code":"client_gone"')) count++;
  }

  /** Closes a caller's connection, and waits until the service has noticed. */
  async function leave(client: AbortController): Promise<void> {
    const before = count;
    client.abort();
    await expect.poll(() => count, patience).toBe(before + 1);
  }

  return { note, leave };
}
