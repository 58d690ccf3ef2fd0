import type { Database } from '../db/db.ts';
import { RevisionCache } from '../db/revision-cache.ts';
import type { Settings } from './settings.ts';
import { readSettings } from './settings-store.ts';

/** The settings in memory, read again when an administrator changed one. */
export class SettingsCache {
  readonly #cache: RevisionCache<Settings>;

  constructor(db: Database) {
    this.#cache = new RevisionCache(db, 'settings', readSettings);
  }

  current(): Promise<Settings> {
    return this.#cache.current();
  }

  close(): void {
    this.#cache.close();
  }
}
