import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Requests that are canceled at another process than the one that runs them. Version 0.1.0 can run on it. */
export async function up(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('idempotency_keys').addColumn('canceled_at', 'bigint').execute();
}
