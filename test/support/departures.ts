import { expect } from 'vitest';
import { patience } from './patience.ts';

/** The callers that a service has seen leave before they had their answer, by what it logs. */
export class Departures {
  #count = 0;

  /** For each line of the log. */
  readonly note = (line: string): void => {
    if (line.includes('"code":"client_gone"')) this.#count++;
  };

  /** Closes a caller's connection, and waits until the service has noticed. */
  async leave(client: AbortController): Promise<void> {
    const before = this.#count;
    client.abort();
    await expect.poll(() => this.#count, patience).toBe(before + 1);
  }
}
