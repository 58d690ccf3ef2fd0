import { Migrator } from 'kysely/migration';
import type { Db } from './db.ts';
import { migrations } from './migrations/migrations.ts';

export interface MigrationStatus {
  name: string;
  /** ISO 8601; null while it has not run. */
  executedAt: string | null;
}

/**
 * Brings the schema up to date. Safe to call from several processes at once: one does the work, the
 * others wait. Refuses a database that a newer version of Tintype has already migrated.
 */
export async function migrate(db: Db): Promise<readonly string[]> {
  const { error, results = [] } = await migratorFor(db).migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

export async function migrationStatus(db: Db): Promise<readonly MigrationStatus[]> {
  const known = await migratorFor(db).getMigrations();
  return known.map(({ name, executedAt }) => ({
    name,
    executedAt: executedAt ? executedAt.toISOString() : null,
  }));
}

function migratorFor(db: Db): Migrator {
  return new Migrator({
    db: db.kysely,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
}
