import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { endAllLeases } from '../../wallets/lease-store.ts';
import { type SweepResult, sweepHolds } from '../money/sweep-holds.ts';

/**
 * Ends what the copy of an installation has unfinished. The processes named in it worked on the
 * original; on the copy none of them does.
 */
export async function endAbandoned(copy: Database, clock: Clock): Promise<SweepResult> {
  await copy.transaction(endAllLeases);
  return await sweepHolds(copy, clock);
}
