import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../../server/db/db.ts';
import type { Schema } from '../../../server/db/schema.ts';

/** Done before or after the commit of each transaction, with what came of it. */
export type Interception = <T>(done: T) => Promise<T>;

/** Lets `allowed` transactions pass; the next one fails before its commit, or after it. */
export function cutOff(
  database: Database,
  { when, allowed }: { when: 'before' | 'after'; allowed: number },
): Database {
  let transactions = 0;
  return interceptTransactions(database, {
    [when]: async (done: unknown) => {
      if (++transactions > allowed) throw new Error('power cut');
      return done;
    },
  });
}

interface Interceptions {
  /** Called at every try: a transaction that was in another's way begins again. */
  begin?: () => void;
  before?: Interception;
  after?: Interception;
}

/** The same database, with something done at the begin, or before or after the commit, of each transaction. */
export function interceptTransactions(
  database: Database,
  { begin, before, after }: Interceptions,
): Database {
  return {
    engine: database.engine,
    kysely: database.kysely,
    runChain: (chain, params) => database.runChain(chain, params),
    transaction: async (work) => {
      const done = await database.transaction(async (trx) => {
        begin?.();
        const result = await work(trx);
        return before ? before(result) : result;
      });
      return after ? after(done) : done;
    },
    snapshot: (work) => database.snapshot(work),
    watchRevisions: (listener) => database.watchRevisions(listener),
    noticeChanges: () => database.noticeChanges(),
    close: () => database.close(),
  };
}

/** The same database; `between` is done once, after the first query of a transaction that names `table`. */
export function pauseAfterRead(
  database: Database,
  table: keyof Schema,
  between: () => Promise<void>,
): Database {
  const read = new WeakSet<object>();
  let isDone = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (JSON.stringify(node).includes(`"${table}"`)) read.add(queryId);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      if (read.has(queryId) && !isDone) {
        isDone = true;
        await between();
      }
      return result;
    },
  };
  return {
    ...interceptTransactions(database, {}),
    transaction: (work) =>
      database.transaction((trx) => work({ ...trx, kysely: trx.kysely.withPlugin(plugin) })),
  };
}
