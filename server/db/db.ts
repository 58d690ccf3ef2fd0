import type { Kysely } from 'kysely';
import type { Chain, ChainParams } from './chain.ts';
import type { EngineName } from './engine-name.ts';
import type { RevisionTopic, Schema } from './schema.ts';

/**
 * A handle on the database: `kysely` for queries, `runChain` for the money path. Stores take one
 * first; inside a transaction they get a {@link Trx} instead, which is one too.
 */
export interface Db {
  readonly engine: EngineName;
  readonly kysely: Kysely<Schema>;
  /** Runs a chain as one atomic unit; null when its first step found no row. */
  runChain<P extends ChainParams, R>(chain: Chain<P, R>, params: P): Promise<R | null>;
}

/** A database transaction: everything done through it commits or rolls back together. */
export interface Trx extends Db {
  readonly transaction: true;
}

/** The open database, as the composition root holds it. */
export interface Database extends Db {
  /**
   * Runs `work` in one transaction. On a conflict with another transaction the whole of `work` is
   * run again, so it must have no side effects but those it does through `trx`. Each statement is to be waited
   * for, and what one of them throws is not to be caught: a statement that was given up may still happen.
   */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** Runs read-only `work` on one consistent state of the database, without holding up writers. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Calls `listener` when another process (or this one) changed what is kept in memory. May call
   * once too often, never once too few. Returns a function that stops it.
   */
  watchRevisions(listener: (topic: RevisionTopic) => void): () => void;
  /**
   * Makes sure that `watchRevisions` has reported all that other processes have committed by now. On SQLite alone,
   * which can tell without a round trip: on PostgreSQL it does nothing, and what must be exact is checked again when a
   * request is admitted.
   */
  noticeChanges(): void;
  close(): Promise<void>;
}

/** Stands in for `runChain` where only reading is allowed. */
export async function refuseToWrite(): Promise<never> {
  throw new Error('broken expectation: a snapshot is only read');
}
