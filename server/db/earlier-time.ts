import type { Clock } from '../lib/clock.ts';
import type { Db } from './db.ts';
import { databaseNow } from './engine.ts';

/**
 * What the process's clock or the database's says, whichever is behind: what is deleted because it is old is gone, and the
 * clock of one machine may be years ahead of all others. On SQLite, both are of the same machine.
 */
export async function earlierTime({ engine, kysely }: Db, clock: Clock): Promise<number> {
  const { now } = await kysely
    .selectNoFrom(databaseNow(engine).as('now'))
    .executeTakeFirstOrThrow();
  return Math.min(now, clock.now());
}
