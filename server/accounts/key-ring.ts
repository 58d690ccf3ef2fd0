import { LRUCache } from 'lru-cache';
import type { Database } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import type { KeyAccess } from './api-key.ts';
import { findKeyAccess } from './key-access-store.ts';
import { hashSecret, isWellFormed } from './key-secret.ts';

const keysMax = 10_000;
/** Kept apart, so that a flood of invented keys does not push out the real ones. */
const unknownHashesMax = 10_000;

/**
 * Tells what an API key stands for, from memory wherever possible. Everything remembered is dropped
 * when any account changes, so a revoked key fails at its next use.
 */
export class KeyRing {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #stopWatching: () => void;
  readonly #known = new LRUCache<string, KeyAccess>({ max: keysMax });
  readonly #unknown = new LRUCache<string, true>({ max: unknownHashesMax });
  /** Counts the times that memory was dropped. */
  #generation = 0;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#stopWatching = db.watchRevisions((topic) => {
      if (topic === 'accounts') this.#forget();
    });
  }

  /**
   * Null for a key that is malformed, unknown, revoked, disabled or expired, or whose owner is
   * disabled; also for a secret whose overlap after a rotation is over.
   */
  async find(secret: string): Promise<KeyAccess | null> {
    if (!isWellFormed(secret)) return null;
    this.#db.noticeChanges();
    const access = await this.#accessOf(hashSecret(secret));
    if (!access) return null;
    const expired = access.expiresAt !== null && access.expiresAt <= this.#clock.now();
    return expired ? null : access;
  }

  close(): void {
    this.#stopWatching();
    this.#forget();
  }

  async #accessOf(hash: string): Promise<KeyAccess | null> {
    const known = this.#known.get(hash);
    if (known) return known;
    if (this.#unknown.has(hash)) return null;
    const generation = this.#generation;
    const found = await findKeyAccess(this.#db, hash);
    // What was read before a change must not outlive it.
    if (generation === this.#generation) this.#remember(hash, found);
    return found;
  }

  #remember(hash: string, found: KeyAccess | null): void {
    if (found) this.#known.set(hash, found);
    else this.#unknown.set(hash, true);
  }

  #forget(): void {
    this.#generation++;
    this.#known.clear();
    this.#unknown.clear();
  }
}
