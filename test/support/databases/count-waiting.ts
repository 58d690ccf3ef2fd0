import { sql } from 'kysely';
import type { Database } from '../../../server/db/db.ts';

/** Connections of PostgreSQL's that wait for somebody else's transaction. */
export async function countWaiting({ kysely }: Database): Promise<number> {
  const { rows } = await sql`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely);
  return rows.length;
}
