/**
 * Ends a hold, or takes the delivery that it paid for, although the database may fail meanwhile. An error of
 * the connection leaves the outcome unknown, so the hold is read back, never blindly charged again.
 */
import type { RecordCode } from '../../../shared/error-codes.ts';
import { amountFromMicros } from '../../../shared/money.ts';
import { mayPass } from '../../db/database-error.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { claimDelivery, readHold } from '../../wallets/delivery-store.ts';
import { readWallet } from '../../wallets/wallet-store.ts';
import { type Charged, type Release, release, type Settlement, settle } from './hold-money.ts';
import { refundOwn } from './refund-undelivered.ts';

/** As of the charge itself: some seven seconds where the database refuses, for a caller waits. */
export const claimTriesMax = 8;
/** What a claim is longer than handing over: until its answer is heard, and the delivery marked. */
const claimSlackMs = 60_000;
const retryFirstMs = 100;
const retryMostMs = 2_000;

/**
 * Settles, trying until the outcome is known or `triesMax` is reached, when the last error is
 * thrown. Null when the hold has ended without a charge: the picture must not be sent.
 */
export async function settleSurely(
  db: Db,
  clock: Clock,
  settlement: Settlement,
  triesMax: number,
): Promise<Charged | null> {
  return insist(clock, { triesMax }, async () => {
    const charged = await settle(db, clock, settlement);
    return charged ?? (await findCharge(db, settlement.traceId));
  });
}

/** Releases, trying until the database answers or `triesMax` is reached. */
export async function releaseSurely(
  db: Db,
  clock: Clock,
  ending: Release,
  triesMax: number,
): Promise<void> {
  await insist(clock, { triesMax }, () => release(db, clock, ending));
}

/**
 * Makes sure that a request whose charge may or may not have happened costs nothing: releases its
 * hold, or returns the charge.
 */
export async function undoSurely(
  db: Db,
  clock: Clock,
  undoing: Undoing,
  triesMax: number,
): Promise<void> {
  await insist(clock, { triesMax }, () => undo(db, clock, undoing));
}

interface Undoing {
  traceId: string;
  code: RecordCode;
  /** JSON list, for a record that does not tell of them yet. */
  attempts?: string;
}

/** One try of `undoSurely`. False when there is nothing to undo (any more). */
export async function undo(
  db: Db,
  clock: Clock,
  { traceId, code, attempts = '[]' }: Undoing,
): Promise<boolean> {
  const ending: Release = { traceId, status: 'failed', code, attempts };
  return (await release(db, clock, ending)) || (await refundOwn(db, clock, { traceId, code }));
}

/**
 * Claims the delivery of an answer whose charge somebody else may return, trying until the outcome is known or
 * `claimTriesMax` is reached. False when it was returned: the picture must not be sent.
 *
 * @param limitMs how long handing it over may take
 */
export async function claimSurely(
  db: Db,
  clock: Clock,
  { traceId, limitMs }: { traceId: string; limitMs: number },
): Promise<boolean> {
  const claim = { traceId, claimMs: limitMs + claimSlackMs };
  for (;;) {
    const begun = clock.now();
    const stands = await insist(clock, { triesMax: claimTriesMax }, () => claimDelivery(db, claim));
    // After a sleep of the machine the claim may be over.
    if (!stands || clock.now() - begun < claimSlackMs / 2) return stands;
  }
}

/**
 * Returns the charge of an answer that this process did not hand over, trying until the outcome is known or
 * its tries are over. False: nothing to return.
 */
export async function returnSurely(
  db: Db,
  clock: Clock,
  untaken: { traceId: string; code: RecordCode },
  persistence: Persistence,
): Promise<boolean> {
  return insist(clock, persistence, () => refundOwn(db, clock, untaken));
}

/** What an earlier try, whose answer was lost, has charged. */
async function findCharge(db: Db, traceId: string): Promise<Charged | null> {
  const hold = await readHold(db, traceId);
  if (hold?.state !== 'settled' || hold.cost === null || hold.refundedAt !== null) return null;
  const wallet = await readWallet(db, hold.userId);
  return wallet && { cost: amountFromMicros(hold.cost), balance: wallet.balance };
}

interface Persistence {
  triesMax: number;
  /** Ends the pauses: the try under way, or the one after the pause, is the last. */
  signal?: AbortSignal;
}

async function insist<T>(
  clock: Clock,
  { triesMax, signal }: Persistence,
  work: () => Promise<T>,
): Promise<T> {
  let waitMs = retryFirstMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || tries >= triesMax || signal?.aborted) throw error;
    }
    await clock.sleep(waitMs, signal).catch(() => undefined);
    waitMs = Math.min(waitMs * 2, retryMostMs);
  }
}
