/** What the ledger tells of the image requests behind its charges, also when their records are no longer kept. */
import { type Amount, zero } from '../../../shared/money.ts';
import type { Db } from '../../db/db.ts';
import { findDays } from '../../usage/usage-days-store.ts';
import { findUsages } from '../../usage/usage-list.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import { findPruned } from '../../wallets/pruned-hold-store.ts';

export interface ChargedRequest extends Pick<UsageRecord, 'model' | 'status'> {
  /** Null where the daily total alone knows them, together with those of others. */
  images: number | null;
  cost: Amount;
}

/** By trace ID. */
export type ChargedRequests = ReadonlyMap<string, ChargedRequest>;

export async function findChargedRequests(
  db: Db,
  traceIds: readonly string[],
): Promise<ChargedRequests> {
  const found = new Map<string, ChargedRequest>(await findUsages(db, traceIds));
  const pruned = await findPruned(
    db,
    traceIds.filter((traceId) => !found.has(traceId)),
  );
  const days = await findDays(db, [...new Set(pruned.map(({ prunedInto }) => prunedInto))]);
  for (const { traceId, prunedInto, cost, isReturned } of pruned) {
    const day = days.get(prunedInto);
    if (!day) continue;
    const { model, status } = day;
    found.set(traceId, { model, status, images: null, cost: isReturned ? zero : cost });
  }
  return found;
}
