import type { Database } from '../db/db.ts';
import { BatchWriter } from '../lib/batch-writer.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { noteKeyUses } from './api-key-store.ts';

/** How stale `last used` may be, so that not every request writes. */
const noteAfterMs = 60_000;
const writeDelayMs = 2_000;
const keysRememberedMax = 10_000;

interface KeyUse {
  apiKeyId: string;
  atMs: number;
}

/** Notes when each API key was last used: off the hot path, and once a minute at most. */
export class KeyUses {
  readonly #clock: Clock;
  readonly #writer: BatchWriter<KeyUse>;
  readonly #noted = new Map<string, number>();

  constructor({ database, clock, log }: { database: Database; clock: Clock; log: Logger }) {
    this.#clock = clock;
    this.#writer = new BatchWriter<KeyUse>({
      clock,
      delayMs: writeDelayMs,
      batchMax: 200,
      waitingMax: keysRememberedMax,
      write: (uses) => database.transaction((trx) => noteKeyUses(trx, uses)),
      onLost: (uses, error) =>
        log.warn({ count: uses.length, err: error }, 'uses of API keys were not noted'),
    });
  }

  note(apiKeyId: string): void {
    const atMs = this.#clock.now();
    const before = this.#noted.get(apiKeyId);
    if (before !== undefined && atMs - before < noteAfterMs) return;
    // What is forgotten is only written once more than needed.
    if (this.#noted.size >= keysRememberedMax) this.#noted.clear();
    this.#noted.set(apiKeyId, atMs);
    this.#writer.add({ apiKeyId, atMs });
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }
}
