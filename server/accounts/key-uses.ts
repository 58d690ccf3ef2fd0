import type { Database } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { noteKeyUses } from './api-key-store.ts';

/** How stale `last used` may be, so that not every request writes. */
const noteAfterMs = 60_000;
const keysRememberedMax = 10_000;

interface KeyUsesDeps {
  database: Database;
  clock: Clock;
  log: Logger;
}

/**
 * Notes when each API key was last used, once a minute at most. No request waits for it: what comes
 * while one write is under way goes into the next.
 */
export class KeyUses {
  readonly #deps: KeyUsesDeps;
  readonly #noted = new Map<string, number>();
  #waiting = new Map<string, number>();
  #isWriting = false;
  /** Ends with the last write. */
  #writing = Promise.resolve();

  constructor(deps: KeyUsesDeps) {
    this.#deps = deps;
  }

  note(apiKeyId: string): void {
    const atMs = this.#deps.clock.now();
    const before = this.#noted.get(apiKeyId);
    if (before !== undefined && atMs - before < noteAfterMs) return;
    // What is forgotten is only written once more than needed.
    if (this.#noted.size >= keysRememberedMax) this.#noted.clear();
    this.#noted.set(apiKeyId, atMs);
    this.#waiting.set(apiKeyId, atMs);
    if (!this.#isWriting) this.#writing = this.#writeAll();
  }

  /** Waits for what is being written. */
  flush(): Promise<void> {
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.size > 0) {
      const uses = [...this.#waiting].map(([apiKeyId, atMs]) => ({ apiKeyId, atMs }));
      this.#waiting = new Map();
      await this.#write(uses);
    }
    this.#isWriting = false;
  }

  async #write(uses: readonly { apiKeyId: string; atMs: number }[]): Promise<void> {
    const { database, log } = this.#deps;
    try {
      await database.transaction((trx) => noteKeyUses(trx, uses));
    } catch (error) {
      log.warn({ count: uses.length, err: error }, 'uses of API keys were not noted');
    }
  }
}
