/** Databases as earlier versions left them. */
import { Migrator } from 'kysely/migration';
import type { Database } from '../../../server/db/db.ts';
import { migrations } from '../../../server/db/migrations/migrations.ts';
import { tableNames } from '../../../server/db/tables.ts';

/** Makes an empty database anew, with the schema as it was behind this migration. */
export async function goBackTo({ kysely }: Database, migration: string): Promise<void> {
  for (const table of [...tableNames].reverse()) await kysely.schema.dropTable(table).execute();
  for (const table of ['migrations', 'migrations_lock']) {
    await kysely.schema.dropTable(table).execute();
  }
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error } = await migrator.migrateTo(migration);
  if (error) throw error;
}
