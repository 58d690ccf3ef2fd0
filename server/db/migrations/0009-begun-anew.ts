import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** How often upstreams and their keys began anew, for every process alike. Version 0.1.0 can run on it. */
export async function up(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .alterTable('upstreams')
    .addColumn('begun_times', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('upstream_keys')
    .addColumn('enabled_times', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
}
