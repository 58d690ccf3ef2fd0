import { claimCheck, noteCheck } from '../../catalog/upstream-check-store.ts';
import type { Trx } from '../../db/db.ts';

export interface Answer {
  upstreamId: string;
  nowMs: number;
  tookMs: number;
  modelsListed: number;
}

/**
 * Writes down as a health check that an upstream answered an administrator: what was failing since
 * yesterday is not any more, and the next check has time. It must still be there.
 */
export async function noteAnswer(
  trx: Trx,
  { upstreamId, nowMs, tookMs, modelsListed }: Answer,
): Promise<void> {
  await claimCheck(trx, { upstreamId, nowMs, everyMs: 0 });
  const outcome = { tookMs, fault: null, status: null, modelsListed };
  await noteCheck(trx, { upstreamId, nowMs, outcome });
}
