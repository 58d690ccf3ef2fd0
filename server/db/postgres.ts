import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { bindParameters, type Chain } from './chain.ts';
import { type ChainParams, type Database, type Db, refuseToWrite, type Trx } from './db.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { RevisionWatch, readRevisions } from './revisions.ts';
import type { Schema } from './schema.ts';

export interface PostgresOptions {
  url: string;
  /** Connections of this process. */
  connectionsMax: number;
  /** How long a request waits for a free connection, for a new one to open, and for a chain. */
  connectTimeoutMs: number;
  /** How long the server may take to answer a statement; without it, as long as it likes. */
  answerTimeoutMs?: number;
  /** Called with errors of idle connections and of the notification channel, for the log. */
  onBackgroundError: (error: unknown) => void;
}

/**
 * How long a transaction may wait for its process. A machine that was cut off from the network leaves
 * its transactions open, with their locks, until the server gives them up.
 */
const idleTransactionMsMax = 15_000;
const revisionPollMs = 1_000;
const noReturned: ReadonlyMap<string, Record<string, unknown>> = new Map();

export function openPostgres(options: PostgresOptions): Database {
  return new PostgresDatabase(options);
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly kysely: Kysely<Schema>;
  readonly #pool: pg.Pool;
  readonly #options: PostgresOptions;
  readonly #watch = new RevisionWatch(new Map());
  #poll: NodeJS.Timeout | null = null;
  #polling = false;
  #pollAgain = false;
  #listener: pg.Client | null = null;
  #closed = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.connectionsMax,
      connectionTimeoutMillis: options.connectTimeoutMs,
      keepAlive: true,
      application_name: 'tintype',
      types: integerTypes,
      idle_in_transaction_session_timeout: idleTransactionMsMax,
      // A server that vanished answers nothing, for as long as the network takes to notice.
      ...(options.answerTimeoutMs !== undefined && { query_timeout: options.answerTimeoutMs }),
    });
    // Without listeners, the loss of a connection would end the process: of an idle one, and of one
    // in a transaction, whose next query reports it.
    this.#pool.on('error', options.onBackgroundError);
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: this.#pool }) });
  }

  async runChain<P extends ChainParams, R>(chain: Chain<P, R>, params: P): Promise<R | null> {
    // With a limit whoever asks: the money must know where it stands.
    const query = { ...chainQuery(chain, params), query_timeout: this.#options.connectTimeoutMs };
    return firstRow(await retryConflicts(() => this.#pool.query<never>(query)));
  }

  async transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    const result = await retryConflicts(() => this.#transactOnce(work));
    await this.#noticeOwnChanges();
    return result;
  }

  #transactOnce<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.kysely.transaction().execute((transaction) =>
      work({
        engine: 'postgres',
        transaction: true,
        kysely: transaction,
        runChain: async (chain, params) => {
          const { text, parameters } = chain.statement;
          const values = bindParameters(parameters, params, noReturned);
          const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, values));
          return firstRow({ rows });
        },
      }),
    );
  }

  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.kysely
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (kysely) => {
        // It locks nobody out, and may wait for whoever takes an export slowly.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(kysely);
        return work({ engine: 'postgres', kysely, runChain: refuseToWrite });
      });
  }

  watchRevisions(listener: Parameters<Database['watchRevisions']>[0]): () => void {
    if (!this.#poll) {
      this.#poll = setInterval(() => void this.#readRevisionsQuietly(), revisionPollMs).unref();
      void this.#readRevisionsQuietly();
    }
    return this.#watch.add(listener);
  }

  /** Needs a round trip here, which every request would pay: the admit checks the key instead. */
  noticeChanges(): void {}

  /** The commit stands whatever happens here, so nothing here may make it look undone. */
  async #noticeOwnChanges(): Promise<void> {
    try {
      await this.#readRevisions();
    } catch (error) {
      // The poll makes up for it.
      if (!this.#closed) this.#options.onBackgroundError(error);
    }
  }

  async #readRevisionsQuietly(): Promise<void> {
    // What is being read now may be older than the news that asks for it.
    this.#pollAgain = this.#polling;
    if (this.#polling || this.#closed) return;
    this.#polling = true;
    try {
      await this.#listen();
      await this.#readRevisions();
    } catch (error) {
      if (!this.#closed) this.#options.onBackgroundError(error);
    } finally {
      this.#polling = false;
    }
    if (this.#pollAgain) await this.#readRevisionsQuietly();
  }

  async #readRevisions(): Promise<void> {
    this.#watch.update(await readRevisions(this.kysely));
  }

  /** The revisions table notifies on every change; the poll finds a lost channel and renews it. */
  async #listen(): Promise<void> {
    if (this.#listener || this.#closed) return;
    const client = new pg.Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: this.#options.connectTimeoutMs,
      keepAlive: true,
      application_name: 'tintype revisions',
    });
    client.on('error', (error) => {
      this.#listener = null;
      if (!this.#closed) this.#options.onBackgroundError(error);
    });
    client.on('end', () => {
      this.#listener = null;
    });
    client.on('notification', () => void this.#readRevisionsQuietly());
    try {
      await client.connect();
      await client.query('listen tintype_revisions');
    } catch (error) {
      // Not left open: a replica takes connections but no `listen`, and every poll would add one.
      void client.end().catch(() => {});
      throw error;
    }
    if (this.#closed) await client.end();
    else this.#listener = client;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#poll) clearInterval(this.#poll);
    await this.#listener?.end();
    await this.kysely.destroy();
  }
}

/** Eight-byte integers arrive as text; ours always fit a number, and one that does not is a bug. */
const integerTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? parseSafeInteger
      : pg.types.getTypeParser(oid, format),
};

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer beyond the safe range: ${text}`);
  return value;
}

function chainQuery<P extends ChainParams, R>(chain: Chain<P, R>, params: P): pg.QueryConfig {
  const { name, text, parameters } = chain.statement;
  return { name, text, values: bindParameters(parameters, params, noReturned) };
}

function firstRow<R>({ rows }: { rows: readonly unknown[] }): R | null {
  // The chain's author typed the columns that its result step returns.
  return (rows[0] ?? null) as R | null;
}
