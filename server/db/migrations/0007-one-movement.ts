import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * One charge and one refund for a trace ID, whoever's it is. Two indexes become one, in the order
 * of time: one that begins with the user wrote a page of its own for the charge of each wallet, a
 * fifth of all that a request writes. One for refunds alone stays, which are few and read one by
 * one. Version 0.1.0 can run on it.
 */
export async function up(db: Kysely<Schema>): Promise<void> {
  await sql`
    create unique index wallet_transactions_one_movement on wallet_transactions (trace_id, kind)
    where trace_id is not null`.execute(db);
  await db.schema.dropIndex('wallet_transactions_one_charge').execute();
  await db.schema.dropIndex('wallet_transactions_by_trace').execute();
}
