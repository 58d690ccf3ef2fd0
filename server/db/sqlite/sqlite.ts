import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database as SqliteHandle, type Statement } from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { followLink } from '../../lib/follow-link.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { bindParameters, type Chain, type ChainParams } from '../chain.ts';
import { isBusy } from '../database-error.ts';
import { type Database, type Db, refuseToWrite, type Trx } from '../db.ts';
import { retryConflicts } from '../retry-conflicts.ts';
import { type Revisions, RevisionWatch } from '../revisions.ts';
import type { RevisionRow, Schema } from '../schema.ts';
import { FilePlace } from './file-place.ts';
import { beginImmediate, GroupCommit, inSavepoint } from './group-commit.ts';
import { openSqliteReader } from './reader.ts';

const revisionPollMs = 250;
/** What the pragma never answers. */
const unknownVersion = -1;

/**
 * Opens (and creates, readable by its owner only) the embedded database. WAL with full
 * synchronisation: a commit that was reported survives a power cut.
 */
export function openSqlite(file: string): Database {
  makeFolder(dirname(file));
  keepToOwner(followLink(file));
  const sqlite = new Sqlite(file);
  try {
    return new SqliteDatabase(sqlite, file);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Makes the file where there is none yet; its -wal and -shm files get the same rights. What SQLite cannot
 * open fails here already, with the reason, of which SQLite says nothing.
 */
function keepToOwner(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

class SqliteDatabase implements Database {
  readonly engine = 'sqlite';
  readonly kysely: Kysely<Schema>;
  readonly #sqlite: SqliteHandle;
  readonly #commits: GroupCommit;
  readonly #chains: ChainStatements;
  readonly #readDataVersion: Statement;
  readonly #watch = new RevisionWatch(new Map());
  readonly #file: string;
  readonly #place: FilePlace;
  /** For snapshots, in a thread of its own: one that lasts must not keep the service waiting. */
  #reader: Kysely<Schema> | null = null;
  #dataVersion = unknownVersion;
  #poll: NodeJS.Timeout | null = null;

  constructor(sqlite: SqliteHandle, file: string) {
    configure(sqlite);
    this.#sqlite = sqlite;
    this.#file = file;
    this.#place = new FilePlace(file);
    this.kysely = new Kysely<Schema>({ dialect: new ImmediateSqliteDialect(sqlite) });
    this.#commits = new GroupCommit(sqlite, (work) => this.#exclusively(work));
    this.#chains = new ChainStatements(sqlite);
    this.#readDataVersion = sqlite.prepare('pragma data_version').pluck();
  }

  runChain<P extends ChainParams, R>(chain: Chain<P, R>, params: P): Promise<R | null> {
    return this.#commits.add(() => this.#chains.run(chain, params));
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    return this.kysely.connection().execute(() => {
      this.#place.requireFile();
      return work();
    });
  }

  async transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    const result = await retryConflicts(() => this.#transactOnce(work));
    this.#noticeOwnChanges();
    return result;
  }

  #transactOnce<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.kysely.transaction().execute((transaction) => {
      this.#place.requireFile();
      return work({
        engine: 'sqlite',
        transaction: true,
        kysely: transaction,
        runChain: async (chain, params) =>
          inSavepoint(this.#sqlite, () => this.#chains.run(chain, params)),
      });
    });
  }

  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#reader ??= openSqliteReader(this.#file);
    return this.#reader
      .transaction()
      .execute((kysely) => work({ engine: 'sqlite', kysely, runChain: refuseToWrite }));
  }

  watchRevisions(listener: Parameters<Database['watchRevisions']>[0]): () => void {
    if (!this.#poll) {
      this.#readRevisions();
      this.#poll = setInterval(() => this.#noticeChangesQuietly(), revisionPollMs).unref();
    }
    return this.#watch.add(listener);
  }

  noticeChanges(): void {
    // Moves when another connection commits; reading it costs some microseconds and no disk.
    const version = this.#readDataVersion.get();
    if (version === this.#dataVersion || typeof version !== 'number') return;
    this.#readRevisions();
    this.#dataVersion = version;
  }

  #noticeChangesQuietly(): void {
    try {
      this.noticeChanges();
    } catch {
      // Whoever needs the database next reports it; the next poll looks again.
    }
  }

  /** The commit stands whatever happens here, so nothing here may make it look undone. */
  #noticeOwnChanges(): void {
    try {
      this.#readRevisions();
    } catch {
      this.#dataVersion = unknownVersion;
    }
  }

  #readRevisions(): void {
    const rows = this.#chains.prepare('select topic, revision from revisions').all();
    // The table's columns are exactly these two.
    this.#watch.update(toRevisions(rows as RevisionRow[]));
  }

  async close(): Promise<void> {
    if (this.#poll) clearInterval(this.#poll);
    await this.#reader?.destroy();
    await this.kysely.destroy();
  }
}

function configure(sqlite: SqliteHandle): void {
  useLog(sqlite);
  sqlite.pragma('synchronous = full');
  sqlite.pragma('foreign_keys = on');
  // Writers wait in `beginImmediate` instead, where the event loop goes on.
  sqlite.pragma('busy_timeout = 0');
  // Deleted content is overwritten, not merely unlinked.
  sqlite.pragma('secure_delete = on');
}

/** Of a first start, at which each of several processes may be the one that writes. */
const logTurnsMax = 20;

/** From the first read of the log on, the file stays ready for this connection, and no read has to wait. */
function useLog(sqlite: SqliteHandle): void {
  for (let turns = 1; ; turns++) {
    try {
      sqlite.pragma('journal_mode = wal');
      sqlite.exec('select 1 from sqlite_schema');
      return;
    } catch (error) {
      if (!isBusy(error) || turns >= logTurnsMax) throw error;
    }
    // SQLite lets nobody wait who turns a file to the log while another writes to it. This one does wait.
    sqlite.exec('begin immediate; rollback');
  }
}

function toRevisions(rows: readonly RevisionRow[]): Revisions {
  return new Map(rows.map((row) => [row.topic, row.revision]));
}

/** Prepares each text once and runs chains on the bare connection. */
class ChainStatements {
  readonly #sqlite: SqliteHandle;
  readonly #statements = new Map<string, Statement>();

  constructor(sqlite: SqliteHandle) {
    this.#sqlite = sqlite;
  }

  prepare(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.#sqlite.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  run<P extends ChainParams, R>(chain: Chain<P, R>, params: P): R | null {
    const returned = new Map<string, Record<string, unknown>>();
    for (const [index, step] of chain.steps.entries()) {
      if (step.when !== null && !returned.has(step.when)) continue;
      const statement = this.prepare(step.text);
      const values = bindParameters(step.parameters, params, returned);
      if (statement.reader) {
        // The first row is the step's, and rows of a `returning` clause are objects.
        const row = statement.get(...values) as Record<string, unknown> | undefined;
        if (row) returned.set(step.name, row);
        else if (index === 0) return null;
      } else if (statement.run(...values).changes === 0 && index === 0) {
        return null;
      }
    }
    // The chain's author typed the columns that its result step returns.
    return (returned.get(chain.result) ?? null) as R | null;
  }
}

/** Kysely's dialect for SQLite, but its transactions take the write lock at once and wait for it. */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #sqlite: SqliteHandle;

  constructor(sqlite: SqliteHandle) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#sqlite);
  }

  override createAdapter(): SqliteAdapter {
    return new AtomicSqliteAdapter();
  }
}

/** Migrations run in one transaction, which SQLite can and the library leaves out: a crash leaves all or none. */
class AtomicSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #sqlite: SqliteHandle;

  constructor(sqlite: SqliteHandle) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override async beginTransaction(): Promise<void> {
    await beginImmediate(this.#sqlite);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk or a failed read has ended it already; that error is the one to report.
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}
