/** Requests as their operator may know them. */
import { type KeyName, readKeyNames } from '../../accounts/api-key-store.ts';
import { readEmails } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Position } from '../../lib/turned-page.ts';
import { findUsage, type UsageFilter } from '../../usage/usage-list.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import { type HoldHistory, readHoldHistory } from '../../wallets/hold-history-store.ts';
import type { WalletTransaction } from '../../wallets/transaction.ts';
import { findMovements } from '../../wallets/transaction-store.ts';
import { readUsagePage, type UsagePage } from './read-usage.ts';

export interface LogPage extends UsagePage {
  /** Of the users in it, by ID. */
  emails: ReadonlyMap<string, string>;
}

export async function readLogPage(
  db: Db,
  filter: UsageFilter,
  page: { position: Position; limit: number },
): Promise<LogPage> {
  const usage = await readUsagePage(db, filter, page);
  const userIds = usage.items.map(({ userId }) => userId);
  return { ...usage, emails: await readEmails(db, userIds) };
}

export interface LoggedRequest {
  record: UsageRecord;
  charge: WalletTransaction | null;
  refund: WalletTransaction | null;
  /** Null for a request that was refused before its money was set aside. */
  hold: HoldHistory | null;
  keys: ReadonlyMap<string, KeyName>;
  emails: ReadonlyMap<string, string>;
}

export async function readLogged(db: Db, traceId: string): Promise<LoggedRequest> {
  const record = await findUsage(db, traceId);
  if (!record) throw new ServiceError('not_found', 'There is no such request.');
  const { apiKeyId, userId } = record;
  return {
    record,
    ...(await findMovements(db, traceId)),
    hold: await readHoldHistory(db, traceId),
    keys: await readKeyNames(db, apiKeyId === null ? [] : [apiKeyId]),
    emails: await readEmails(db, [userId]),
  };
}
