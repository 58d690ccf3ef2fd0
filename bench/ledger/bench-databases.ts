/** Databases to measure on, as durable as those of an installation, and gone afterwards. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../server/db/db.ts';
import type { EngineName } from '../../server/db/engine-name.ts';
import { migrate } from '../../server/db/migrate.ts';
import { type DatabaseOptions, openDatabase } from '../../server/db/open.ts';
import {
  databaseUrl,
  dropDatabase,
  runSql,
  startEmbedded,
} from '../../test/support/databases/postgres-server.ts';

/** What another process needs to open the database too. */
export type Location = Pick<DatabaseOptions, 'url' | 'dataDir'>;

export interface FreshDatabase extends AsyncDisposable {
  location: Location;
}

export interface Bench extends AsyncDisposable {
  /** An empty database with the current schema. */
  create(engine: EngineName): Promise<FreshDatabase>;
}

export async function openBench(engines: readonly EngineName[]): Promise<Bench> {
  const server = engines.includes('postgres') ? await findServer() : null;
  return {
    create: async (engine) => {
      const database =
        engine === 'sqlite' || !server ? makeFolder() : await createDatabase(server.url);
      await withDatabase(database, migrate);
      return database;
    },
    [Symbol.asyncDispose]: async () => server?.stop(),
  };
}

export async function withDatabase<T>(
  { location }: FreshDatabase,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openLocation(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** With the service's own defaults. */
export function openLocation(location: Location): Database {
  return openDatabase({
    ...location,
    connectionsMax: 10,
    connectTimeoutMs: 30_000,
    onBackgroundError: () => {},
  });
}

function makeFolder(): FreshDatabase {
  const dataDir = mkdtempSync(join(tmpdir(), 'tintype-ledger-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    location: { url: null, dataDir },
    [Symbol.asyncDispose]: async () => {
      process.off('exit', remove);
      remove();
    },
  };
}

async function createDatabase(serverUrl: string): Promise<FreshDatabase> {
  const name = `tintype_ledger_${randomBytes(6).toString('hex')}`;
  await runSql(serverUrl, `create database ${name}`);
  return {
    location: { url: databaseUrl(serverUrl, name), dataDir: '' },
    [Symbol.asyncDispose]: () => dropDatabase(serverUrl, name),
  };
}

interface Server {
  url: string;
  stop(): Promise<void>;
}

async function findServer(): Promise<Server> {
  const url = process.env['DATABASE_URL'];
  if (url) return { url, stop: async () => {} };
  const started = await startEmbedded({ durable: true });
  if ('reason' in started) {
    throw new Error(`PostgreSQL cannot run here (${started.reason}); name one in DATABASE_URL`);
  }
  return { url: started.url, stop: () => started.stop() };
}
