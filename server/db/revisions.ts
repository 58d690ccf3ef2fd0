import type { Kysely } from 'kysely';
import type { Trx } from './db.ts';
import { notifyChannel } from './engine.ts';
import { type RevisionTopic, revisionTopics, type Schema } from './schema.ts';

/** Says, inside the transaction of a change, that what processes keep in memory is out of date. */
export async function bumpRevision(trx: Trx, topic: RevisionTopic): Promise<void> {
  await trx.kysely
    .updateTable('revisions')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('topic', '=', topic)
    .execute();
  await notifyChannel(trx, 'tintype_revisions');
}

export type Revisions = ReadonlyMap<RevisionTopic, number>;

export async function readRevisions(kysely: Kysely<Schema>): Promise<Revisions> {
  const rows = await kysely.selectFrom('revisions').selectAll().execute();
  return new Map(rows.map((row) => [row.topic, row.revision]));
}

/** Compares what was last seen with what stands now, and tells the listeners what moved. */
export class RevisionWatch {
  readonly #listeners = new Set<(topic: RevisionTopic) => void>();
  #seen: Revisions;

  constructor(seen: Revisions) {
    this.#seen = seen;
  }

  add(listener: (topic: RevisionTopic) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  update(current: Revisions): void {
    const moved = revisionTopics.filter((topic) => current.get(topic) !== this.#seen.get(topic));
    this.#seen = current;
    for (const topic of moved) {
      for (const listener of this.#listeners) listener(topic);
    }
  }
}
