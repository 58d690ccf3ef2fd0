import { Socket } from 'node:net';
import {
  CompiledQuery,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
  type Transaction,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { bindParameters, type Chain, type ChainParams } from '../chain.ts';
import { isUnavailable, outcomeUnknown } from '../database-error.ts';
import { type Database, type Db, refuseToWrite, type Trx } from '../db.ts';
import { retryConflicts } from '../retry-conflicts.ts';
import { RevisionWatch, readRevisions } from '../revisions.ts';
import type { Schema } from '../schema.ts';
import { postgresDriver } from './driver.ts';
import { PostgresGroupCommit } from './group-commit.ts';
import { openPool, type PoolOptions, probeAfterMs } from './pool.ts';

export interface PostgresOptions extends PoolOptions {
  /** How long the server may take to answer a statement; without it, as long as it likes. */
  answerTimeoutMs?: number;
  /** The same for a statement of a snapshot, which the server itself then gives up. */
  readTimeoutMs?: number;
}

const revisionPollMs = 1_000;

const snapshotSettings = [
  // It locks nobody out, and may wait for whoever takes an export slowly.
  sql`set_config('idle_in_transaction_session_timeout', '0', true)`,
  // What was written at a time lies together. The planner does not believe it of an index that has a second
  // column, and would read ten million records for the requests of a month.
  sql`set_config('random_page_cost', '1.1', true)`,
];
const noReturned: ReadonlyMap<string, Record<string, unknown>> = new Map();

export function openPostgres(options: PostgresOptions): Database {
  return new PostgresDatabase(options);
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly kysely: Kysely<Schema>;
  readonly #pool: pg.Pool;
  readonly #commits: PostgresGroupCommit;
  /** For snapshots, on connections of their own: those that last must not keep requests waiting. */
  readonly #reader: Kysely<Schema>;
  readonly #options: PostgresOptions;
  readonly #watch = new RevisionWatch(new Map());
  #poll: NodeJS.Timeout | null = null;
  #polling = false;
  #pollAgain = false;
  #listener: pg.Client | null = null;
  readonly #sockets = new Set<Socket>();
  #closed = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
    // To the driver, zero is no limit.
    const { answerTimeoutMs = 0, readTimeoutMs = 0, connectTimeoutMs } = options;
    const stream = () => this.#openSocket();
    this.#pool = openPool(options, { stream, query_timeout: answerTimeoutMs });
    this.kysely = openKysely(this.#pool);
    // With a limit whoever asks: the money must know where it stands.
    this.#commits = new PostgresGroupCommit(this.#pool, connectTimeoutMs);
    const reads = openPool(options, {
      stream,
      statement_timeout: readTimeoutMs,
      // A server that vanished answers nothing, for as long as the network takes to notice.
      query_timeout: readTimeoutMs && readTimeoutMs + connectTimeoutMs,
    });
    this.#reader = openKysely(reads);
  }

  async runChain<P extends ChainParams, R>(chain: Chain<P, R>, params: P): Promise<R | null> {
    // The chain's author typed the columns that its result step returns.
    return (await this.#commits.run(chain, params)) as R | null;
  }

  async transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    const result = await retryConflicts(() => this.#transactOnce(work));
    await this.#noticeOwnChanges();
    return result;
  }

  async #transactOnce<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    let isCommitting = false;
    try {
      return await this.kysely.transaction().execute(async (transaction) => {
        const result = await work(trxOf(transaction));
        isCommitting = true;
        return result;
      });
    } catch (error) {
      throw isCommitting && isUnavailable(error) ? outcomeUnknown(error) : error;
    }
  }

  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (kysely) => {
        await sql`select ${sql.join(snapshotSettings)}`.execute(kysely);
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
    const { Client } = postgresDriver();
    const client = new Client({
      connectionString: this.#options.url,
      stream: () => this.#openSocket(),
      connectionTimeoutMillis: this.#options.connectTimeoutMs,
      // Whoever waits for it reads no revisions meanwhile.
      query_timeout: this.#options.connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: probeAfterMs,
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

  #openSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#poll) clearInterval(this.#poll);
    this.#cutOffSoon();
    await this.#listener?.end();
    await this.#reader.destroy();
    await this.kysely.destroy();
    // It ends the pool only if it was ever asked: chains go past it.
    if (!this.#pool.ending) await this.#pool.end();
  }

  /** A server that vanished does not say good-bye, and what is open keeps the process from ending. */
  #cutOffSoon(): void {
    const cutOff = () => {
      for (const socket of this.#sockets) socket.destroy();
    };
    setTimeout(cutOff, this.#options.connectTimeoutMs).unref();
  }
}

function trxOf(transaction: Transaction<Schema>): Trx {
  return {
    engine: 'postgres',
    transaction: true,
    kysely: transaction,
    runChain: async (chain, params) => {
      const { text, parameters } = chain.statement;
      const values = bindParameters(parameters, params, noReturned);
      const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, values));
      return firstRow({ rows });
    },
  };
}

function openKysely(pool: pg.Pool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new CleanBeginDialect({ pool }) });
}

/** Kysely's dialect for PostgreSQL, but no connection goes back with a transaction that nobody knows of. */
class CleanBeginDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new CleanBeginDriver(this.#config);
  }
}

/** Kysely gives its class no name outside. */
type PooledConnection = Parameters<PostgresDriver['rollbackTransaction']>[0];

class CleanBeginDriver extends PostgresDriver {
  override async beginTransaction(
    connection: PooledConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    try {
      await super.beginTransaction(connection, settings);
    } catch (error) {
      // It may have begun all the same, where only the answer did not come in time: what others wrote on the
      // connection would be undone with it. One that cannot be rolled back either leaves the pool.
      await this.rollbackTransaction(connection).catch(() => {});
      throw error;
    }
  }
}

function firstRow<R>({ rows }: { rows: readonly unknown[] }): R | null {
  // The chain's author typed the columns that its result step returns.
  return (rows[0] ?? null) as R | null;
}
