/** How far a request of an Idempotency-Key is that another process has, as the database knows it. */
import { ServiceError } from '../../../lib/service-error.ts';
import type { HoldOutcome } from '../../../wallets/delivery-store.ts';

/**
 * Charged: its answer is being handed over, or kept for a caller that left; the charge may yet be returned
 * and the key be free. Paid: the answer is with its caller.
 */
export type Progress = 'running' | 'charged' | 'paid';

/** @param hold null where it is no longer kept, long after its answer was handed over */
export function progressOf(hold: HoldOutcome | null): Progress {
  if (!hold) return 'paid';
  const { state, refundedAt, deliveredAt } = hold;
  // What ended without a charge frees its key in the same moment.
  if (state !== 'settled' || refundedAt !== null) return 'running';
  return deliveredAt === null ? 'charged' : 'paid';
}

const charged =
  'is charged, and its answer waits in another process: a repeat gets it there, or makes the picture anew once the charge is returned';

const reasons = {
  running: 'is still running',
  charged,
  paid: charged,
  no_memory: 'is charged, and this process has no memory left to pass its answer on',
} as const;

/** Refuses a repeat that came to the wrong process; over another connection it may come to the right one. */
export class AnswerElsewhere extends ServiceError {
  constructor(reason: keyof typeof reasons, traceId: string) {
    super(
      'rate_limit',
      `The request that this one repeats ${reasons[reason]} (trace ID ${traceId}). Try again.`,
      { retryAfterSeconds: 5 },
    );
  }
}
