import type { Database, Db } from './db.ts';
import { readRevisions } from './revisions.ts';
import type { RevisionTopic } from './schema.ts';

/**
 * Keeps in memory what rarely changes, and reads it again when the revision of its topic has moved.
 *
 * On SQLite an answer always has what other processes committed before the call; PostgreSQL's word of it may come a
 * moment later (see `Database.noticeChanges`). An answer is always one state of the database: it never has a part
 * from before a change and another from after it, such as an old address with a new credential.
 */
export class RevisionCache<T> {
  readonly #db: Database;
  readonly #topic: RevisionTopic;
  readonly #load: (db: Db) => Promise<T>;
  readonly #stopWatching: () => void;
  #value: Promise<T> | null = null;

  constructor(db: Database, topic: RevisionTopic, load: (db: Db) => Promise<T>) {
    this.#db = db;
    this.#topic = topic;
    this.#load = load;
    this.#stopWatching = db.watchRevisions((moved) => {
      // Also drops a load under way: it may have read what was there before the change.
      if (moved === topic) this.#value = null;
    });
  }

  current(): Promise<T> {
    this.#db.noticeChanges();
    this.#value ??= this.#begin();
    return this.#value;
  }

  close(): void {
    this.#stopWatching();
  }

  #begin(): Promise<T> {
    const value = this.#loadWhole();
    value.catch(() => {
      // The next call tries again.
      if (this.#value === value) this.#value = null;
    });
    return value;
  }

  async #loadWhole(): Promise<T> {
    for (let revision = await this.#revision(); ; ) {
      const value = await this.#load(this.#db);
      const after = await this.#revision();
      if (after === revision) return value;
      revision = after;
    }
  }

  async #revision(): Promise<number | undefined> {
    return (await readRevisions(this.#db.kysely)).get(this.#topic);
  }
}
