/**
 * Reads the embedded database in a thread of its own: a statement that takes long there keeps no
 * request of the service waiting, as it would on the main thread.
 */
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { readerGone } from '../database-error.ts';
import type { Schema } from '../schema.ts';
import type { ReaderAnswer, ReaderAsk } from './reader-talk.ts';

/** Connections kept for the next snapshot; further ones are closed after use. */
const idleConnectionsMax = 4;

export function openSqliteReader(file: string): Kysely<Schema> {
  const driver = new ReaderDriver(file);
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new ReaderAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Unlike the writer, it has as many connections as there are snapshots at a time. */
class ReaderAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReaderDriver implements Driver {
  readonly #file: string;
  #thread: ReaderThread | null = null;
  #idle: ReaderConnection[] = [];
  #sessions = 0;

  constructor(file: string) {
    this.#file = file;
  }

  async init(): Promise<void> {
    this.#thread = new ReaderThread(this.#file);
  }

  async acquireConnection(): Promise<ReaderConnection> {
    // After a thread that broke, another one.
    if (!this.#thread || this.#thread.broke) {
      this.#idle = [];
      this.#thread = new ReaderThread(this.#file);
    }
    return this.#idle.pop() ?? new ReaderConnection(this.#thread, ++this.#sessions);
  }

  async releaseConnection(connection: ReaderConnection): Promise<void> {
    if (connection.thread !== this.#thread) return;
    if (this.#idle.length < idleConnectionsMax) this.#idle.push(connection);
    else await connection.close();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    await this.#thread?.end();
  }
}

class ReaderConnection implements DatabaseConnection {
  readonly thread: ReaderThread;
  readonly #session: number;

  constructor(thread: ReaderThread, session: number) {
    this.thread = thread;
    this.#session = session;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const rows = await this.thread.ask({ session: this.#session, sql, parameters });
    // Kysely's query says what its rows are.
    return { rows: rows as R[] };
  }

  // oxlint-disable-next-line require-yield -- Kysely asks for a generator, and nobody streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('a snapshot is read by pages, not streamed');
  }

  async close(): Promise<void> {
    await this.thread.ask({ session: this.#session, sql: null, parameters: [] });
  }
}

type Waiting = PromiseWithResolvers<unknown[]>;

class ReaderThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asks = 0;
  #broke = false;

  constructor(file: string) {
    this.#worker = startWorker(file);
    this.#worker.on('message', (answer: ReaderAnswer) => this.#take(answer));
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`its exit code is ${code}`)));
    // Whoever waits for an answer keeps the process alive; an idle thread does not.
    this.#worker.unref();
  }

  get broke(): boolean {
    return this.#broke;
  }

  ask(ask: Omit<ReaderAsk, 'id'>): Promise<unknown[]> {
    if (this.#broke) return Promise.reject(readerGone(null));
    const id = ++this.#asks;
    const waiting = Promise.withResolvers<unknown[]>();
    this.#waiting.set(id, waiting);
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage({ ...ask, id });
    return waiting.promise;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(answer: ReaderAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('rows' in answer) waiting?.resolve(answer.rows);
    else waiting?.reject(errorOf(answer.failure));
  }

  #fail(cause: Error): void {
    this.#broke = true;
    for (const waiting of this.#waiting.values()) waiting.reject(readerGone(cause));
    this.#waiting.clear();
  }
}

/** Throws where the system has no thread or no memory to spare. */
function startWorker(file: string): Worker {
  try {
    const program = new URL('./reader-thread.ts', import.meta.url);
    return new Worker(program, { workerData: { file } });
  } catch (error) {
    throw readerGone(error);
  }
}

/** As the driver itself would have thrown it. */
function errorOf({ message, code }: { message: string; code: string | null }): Error {
  return code === null ? new Error(message) : new Sqlite.SqliteError(message, code);
}
