import { sql } from 'kysely';
import type { Db } from '../db.ts';

/**
 * Whether something between here and PostgreSQL drops the time limits that a connection is opened with. Poolers such as
 * PgBouncer, which do not know these, are often told to ignore them. One that lends a connection from transaction to
 * transaction loses the prepared statements as well, and says so only once several processes work.
 */
export async function isBehindPooler({ engine, kysely }: Db): Promise<boolean> {
  if (engine !== 'postgres') return false;
  const { rows } = await sql`
    select 1 from pg_settings
    where name = 'idle_in_transaction_session_timeout' and source not in ('client', 'session')
  `.execute(kysely);
  return rows.length > 0;
}
