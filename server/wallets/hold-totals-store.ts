import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import { isUnfinished } from './lease-store.ts';

/** What is under way, of all processes. */
export interface HoldTotals {
  /** Each takes a slot. */
  open: number;
  /** Charged, and the answer not handed over yet. */
  undelivered: number;
  /** Σ open holds. */
  held: Amount;
  /** Unix milliseconds: when the oldest open hold was made; null without one. */
  oldestAtMs: number | null;
}

/** Reads the unfinished holds only, by their own index: it does not grow with the past. */
export async function readHoldTotals(db: Db): Promise<HoldTotals> {
  const rows = await db.kysely
    .selectFrom('holds')
    .select(({ fn }) => [
      'state',
      fn.countAll<number | string>().as('holds'),
      fn.sum<number | string>('amount').as('amount'),
      fn.min('created_at').as('oldest'),
    ])
    .where(isUnfinished)
    .groupBy('state')
    .execute();
  const open = rows.find(({ state }) => state === 'open');
  const settled = rows.find(({ state }) => state === 'settled');
  return {
    open: Number(open?.holds ?? 0),
    undelivered: Number(settled?.holds ?? 0),
    held: amountFromMicros(Number(open?.amount ?? 0)),
    oldestAtMs: open?.oldest ?? null,
  };
}
