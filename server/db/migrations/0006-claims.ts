import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Deliveries that are claimed before they begin. Version 0.1.0 can run on it; its sweep knows of no claims
 * and may return the charge of an answer that is being handed over by a process whose lease ran out.
 */
export async function up(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('holds').addColumn('claimed_until', 'bigint').execute();
}
