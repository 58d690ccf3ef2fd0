/**
 * Ends a hold although the database may fail while it does. An error of the connection leaves the
 * outcome unknown, so the hold is read back, never blindly charged again.
 */
import type { RecordCode } from '../../shared/error-codes.ts';
import { amountFromMicros } from '../../shared/money.ts';
import { isConflict, isUnavailable } from '../db/database-error.ts';
import type { Db } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import { readHold } from '../wallets/lease-store.ts';
import { readWallet } from '../wallets/wallet-store.ts';
import { type Charged, type Release, release, type Settlement, settle } from './hold-money.ts';
import { refundOwn } from './refund-undelivered.ts';

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
  return insist(clock, triesMax, async () => {
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
  await insist(clock, triesMax, () => release(db, clock, ending));
}

/**
 * Makes sure that a request whose charge may or may not have happened costs nothing: releases its
 * hold, or returns the charge.
 */
export async function undoSurely(
  db: Db,
  clock: Clock,
  { traceId, code }: { traceId: string; code: RecordCode },
  triesMax: number,
): Promise<void> {
  await insist(clock, triesMax, () => undo(db, clock, { traceId, code }));
}

/** One try of `undoSurely`. False when there is nothing to undo (any more). */
export async function undo(
  db: Db,
  clock: Clock,
  { traceId, code }: { traceId: string; code: RecordCode },
): Promise<boolean> {
  const ending: Release = { traceId, status: 'failed', code, attempts: '[]' };
  return (await release(db, clock, ending)) || (await refundOwn(db, clock, { traceId, code }));
}

/** What an earlier try, whose answer was lost, has charged. */
async function findCharge(db: Db, traceId: string): Promise<Charged | null> {
  const hold = await readHold(db, traceId);
  if (hold?.state !== 'settled' || hold.cost === null || hold.refundedAt !== null) return null;
  const wallet = await readWallet(db, hold.userId);
  return wallet && { cost: amountFromMicros(hold.cost), balance: wallet.balance };
}

async function insist<T>(clock: Clock, triesMax: number, work: () => Promise<T>): Promise<T> {
  let waitMs = retryFirstMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = isUnavailable(error) || isConflict(error);
      if (!isPassing || tries >= triesMax) throw error;
    }
    await clock.sleep(waitMs);
    waitMs = Math.min(waitMs * 2, retryMostMs);
  }
}
