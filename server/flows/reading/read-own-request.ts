import type { Db } from '../../db/db.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { findUsage } from '../../usage/usage-list.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import type { WalletTransaction } from '../../wallets/transaction.ts';
import { findMovements } from '../../wallets/transaction-store.ts';

/** A request with what it did to its owner's wallet. */
export interface OwnRequest {
  record: UsageRecord;
  charge: WalletTransaction | null;
  refund: WalletTransaction | null;
}

/** A request of somebody else answers like one that never was. */
export async function requireOwnUsage(
  db: Db,
  { traceId, userId }: { traceId: string; userId: string },
): Promise<OwnRequest> {
  const record = await findUsage(db, traceId);
  if (record?.userId !== userId) {
    throw new ServiceError('not_found', 'There is no such request.');
  }
  return { record, ...(await findMovements(db, traceId)) };
}
