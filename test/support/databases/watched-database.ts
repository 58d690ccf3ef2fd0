import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../../server/db/db.ts';
import type { RevisionTopic } from '../../../server/db/schema.ts';

export interface WatchedReads {
  /** The same database, whose queries outside transactions are counted and can be held back. */
  database: Database;
  /** Queries so far. */
  readonly count: number;
  /** From now on, what queries have read waits until the function returned is called. */
  holdAnswers(): () => void;
}

export function watchReads(database: Database): WatchedReads {
  let count = 0;
  let gate = Promise.resolve();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count++;
      return node;
    },
    transformResult: async ({ result }) => {
      await gate;
      return result;
    },
  };
  const kysely = database.kysely.withPlugin(plugin);
  const watched: Database = {
    engine: database.engine,
    kysely,
    runChain: (chain, params) => database.runChain(chain, params),
    transaction: (work) => database.transaction(work),
    snapshot: (work) => database.snapshot(work),
    watchRevisions: (listener) => database.watchRevisions(listener),
    noticeChanges: () => database.noticeChanges(),
    close: () => database.close(),
  };
  return {
    database: watched,
    get count() {
      return count;
    },
    holdAnswers: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

/**
 * Runs `change`, made through another handle, and waits until `database` has heard of it: SQLite
 * tells when it is asked, PostgreSQL sends word.
 */
export async function heardOf(
  database: Database,
  topic: RevisionTopic,
  change: () => Promise<unknown>,
): Promise<void> {
  // Every transaction ends by reading the revisions, so only what moves from here on is told.
  await database.transaction(async () => {});
  const heard = Promise.withResolvers<void>();
  const stop = database.watchRevisions((moved) => {
    if (moved === topic) heard.resolve();
  });
  await change();
  database.noticeChanges();
  await heard.promise;
  stop();
}
