/** The part of the composition root that opens the database. */
import type { Config } from '../config.ts';
import type { Database } from '../db/db.ts';
import { migrate } from '../db/migrate.ts';
import { refuseHalfMoved } from '../db/move-state.ts';
import { type DatabaseOptions, openDatabase } from '../db/open.ts';
import type { Logger } from '../lib/logger.ts';

interface Surroundings {
  config: Config;
  log: Logger;
}

/** The database as requests use it: what does not answer in time fails. */
export function openServiceDatabase(surroundings: Surroundings): Database {
  return openDatabase(databaseOptions(surroundings));
}

/** By a connection of its own: a migration may take longer than any answer to a request. */
export async function migrateFirst(surroundings: Surroundings): Promise<void> {
  const { answerTimeoutMs: _, ...patient } = databaseOptions(surroundings);
  const database = openDatabase(patient);
  try {
    await migrate(database);
    // Only now: behind that, a table that is called like ours is ours.
    await refuseHalfMoved(database);
  } finally {
    await database.close();
  }
}

/** SQLite has one writer; on PostgreSQL, requests that wait for a connection must not hold up the lease. */
export function openForRenewals(database: Database, surroundings: Surroundings): Database {
  if (database.engine === 'sqlite') return database;
  return openDatabase({ ...databaseOptions(surroundings), connectionsMax: 1 });
}

function databaseOptions({
  config,
  log,
}: Surroundings): DatabaseOptions & { answerTimeoutMs: number } {
  return {
    url: config.databaseUrl,
    dataDir: config.dataDir,
    connectionsMax: config.databaseConnectionsMax,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    answerTimeoutMs: config.databaseConnectTimeoutMs,
    readTimeoutMs: config.databaseReadTimeoutMs,
    onBackgroundError: (error) => log.warn({ err: error }, 'database connection failed'),
  };
}
