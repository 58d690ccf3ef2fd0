import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { noteCanceled } from '../../usage/idempotency-store.ts';
import type { ImageRuns } from './runs/image-runs.ts';

interface Cancelling {
  database: Database;
  clock: Clock;
  runs: ImageRuns;
}

/** `elsewhere`: another process has it, and stops it as soon as its caller has left. */
export type CancelOutcome =
  | { state: 'stopping' | 'goes_on' | 'elsewhere'; traceId: string }
  | { state: 'unknown'; traceId: null };

/** Stops the request that an Idempotency-Key stands for, without a charge, if it is not too late for that. */
export async function cancelRequest(
  { database, clock, runs }: Cancelling,
  claim: { apiKeyId: string; key: string },
): Promise<CancelOutcome> {
  const here = runs.cancel(claim.apiKeyId, claim.key);
  if (here) return { state: here.isStopping ? 'stopping' : 'goes_on', traceId: here.traceId };
  const traceId = await database.transaction((trx) => noteCanceled(trx, claim, clock.now()));
  return traceId === null ? { state: 'unknown', traceId } : { state: 'elsewhere', traceId };
}
