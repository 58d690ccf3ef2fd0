import { sql } from 'kysely';
import { type MigrationResultSet, Migrator } from 'kysely/migration';
import { must } from '../lib/assert.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { isBusy } from './database-error.ts';
import type { Db } from './db.ts';
import { listNames, readSchemaName } from './engine.ts';
import {
  migrationsLockTable,
  migrationsTable,
  refuseForeignMigrations,
  refuseForeignNames,
} from './foreign-names.ts';
import { migrations } from './migrations/migrations.ts';

export interface MigrationStatus {
  name: string;
  /** ISO 8601; null while it has not run. */
  executedAt: string | null;
}

/**
 * Brings the schema up to date. Safe to call from several processes at once: one does the work, the
 * others wait. Refuses a database that a newer version of Tintype has already migrated, and one in which
 * another program uses our names.
 */
export async function migrate(db: Db): Promise<readonly string[]> {
  const status = await refuseForeign(db);
  refuseNewer(status);
  // The usual start, which writes nothing and waits for nobody who does.
  if (status.every(({ executedAt }) => executedAt !== null)) return [];
  const { error, results = [] } = await migrateInTurn(db);
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** Of a first start, at which each of several processes may be the one that writes. */
const turnsMax = 20;

/**
 * Before its transaction, the library makes tables of its own one by one, and SQLite lets none of these writes
 * wait for another process.
 */
async function migrateInTurn(db: Db): Promise<MigrationResultSet> {
  const migrator = await migratorFor(db);
  for (let turns = 1; ; turns++) {
    const outcome = await migrator.migrateToLatest();
    if (!isBusy(outcome.error) || turns >= turnsMax) return outcome;
    // This one does wait, until nobody writes.
    await db.kysely.transaction().execute(async () => {});
  }
}

/** What this version knows of, and what a newer one ran. */
export async function migrationStatus(db: Db): Promise<readonly MigrationStatus[]> {
  await refuseForeignMigrations(db);
  const migrator = await migratorFor(db);
  const known = await migrator.getMigrations();
  const status = known.map(({ name, executedAt }) => ({
    name,
    executedAt: executedAt ? executedAt.toISOString() : null,
  }));
  return hasSchema(status) ? [...status, ...(await readUnknown(db))] : status;
}

/** Refuses a database in which another program uses our names, though Tintype never made its tables. */
export async function refuseForeign(db: Db): Promise<readonly MigrationStatus[]> {
  // Before the status: what another process of ours makes in between is then in the status.
  const names = await listNames(db);
  const status = await migrationStatus(db);
  if (!hasSchema(status)) {
    refuseForeignNames(names);
    await refuseOtherEncoding(db);
  }
  return status;
}

/** PostgreSQL would refuse every name with a character that the database's encoding has not. */
async function refuseOtherEncoding({ engine, kysely }: Db): Promise<void> {
  if (engine !== 'postgres') return;
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding
  `.execute(kysely);
  const { encoding } = must(rows[0], 'a setting of every server');
  if (encoding === 'UTF8') return;
  throw new OperatorError(
    `the database has the encoding ${encoding}, which has not every character: give Tintype one with UTF8 (create database tintype encoding 'UTF8' template template0)`,
  );
}

function hasSchema(status: readonly MigrationStatus[]): boolean {
  return status.some(({ executedAt }) => executedAt !== null);
}

/** This version cannot know what the tables mean by now: to write to them could spoil them. */
export function refuseNewer(status: readonly MigrationStatus[]): void {
  const unknown = status.filter(({ name }) => !isKnown(name));
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => name).join(', ');
  throw new OperatorError(
    `a newer version of Tintype has migrated the database (${names}): run that one, or restore a backup from before`,
  );
}

async function readUnknown(db: Db): Promise<readonly MigrationStatus[]> {
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from migrations order by name
  `.execute(db.kysely);
  return rows
    .filter(({ name }) => !isKnown(name))
    .map(({ name, timestamp }) => ({ name, executedAt: timestamp }));
}

function isKnown(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

async function migratorFor(db: Db): Promise<Migrator> {
  const schema = await readSchemaName(db);
  return new Migrator({
    db: db.kysely,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: migrationsTable,
    migrationLockTableName: migrationsLockTable,
    // Or the library takes tables of these names in any other schema for ours.
    ...(schema !== null && { migrationTableSchema: schema }),
  });
}
