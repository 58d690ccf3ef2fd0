import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../server/db/db.ts';
import type { FaultyProxy, StatementFate } from './faulty-proxy.ts';

interface Locking {
  /** Whether a `transaction_timeout` of the database, which PostgreSQL has since 17, concerns the lock as well. */
  isLimited?: boolean;
}

/** Locks all of them; answers with what unlocks them. */
export async function lockWallets(
  { kysely }: Database,
  { isLimited = true }: Locking = {},
): Promise<() => Promise<void>> {
  const trx = await kysely.startTransaction().execute();
  const unlock = async () => {
    if (!trx.isRolledBack) await trx.rollback().execute();
  };
  onTestFinished(unlock);
  if (!isLimited) await sql`set local transaction_timeout = 0`.execute(trx);
  await trx.selectFrom('wallets').select('user_id').forUpdate().execute();
  return unlock;
}

/** The wallets are locked for the first two settles, and free for the third; answers how many there were. */
export function lockTwoSettles(
  { proxy, database }: { proxy: FaultyProxy; database: Database },
  locking: Locking = {},
): () => number {
  let unlock = async () => {};
  let settles = 0;
  proxy.fateOf = async (statement): Promise<StatementFate> => {
    if (statement !== 'settle') return 'works';
    settles++;
    if (settles === 1) unlock = await lockWallets(database, locking);
    if (settles === 3) await unlock();
    return 'works';
  };
  return () => settles;
}
