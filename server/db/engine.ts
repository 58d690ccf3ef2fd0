/** The SQL that the two engines spell differently. */
import { type RawBuilder, sql } from 'kysely';
import type { EngineName, Trx } from './db.ts';

/** The database's own clock in Unix milliseconds, so that leases of all processes share one clock. */
export function databaseNow(engine: EngineName): RawBuilder<number> {
  return engine === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}

/** Sums are `numeric` on PostgreSQL; this makes them 8-byte integers again, 0 for no rows. */
export function sumOf(engine: EngineName, column: string): RawBuilder<number> {
  return engine === 'postgres'
    ? sql<number>`coalesce(sum(${sql.ref(column)}), 0)::bigint`
    : sql<number>`coalesce(sum(${sql.ref(column)}), 0)`;
}

/** Wakes the other processes on PostgreSQL when the transaction commits; SQLite's poll is free. */
export async function notifyChannel(trx: Trx, channel: string): Promise<void> {
  if (trx.engine === 'postgres') await sql`select pg_notify(${channel}, '')`.execute(trx.kysely);
}
