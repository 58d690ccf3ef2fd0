import type { Amount } from '../../../shared/money.ts';
import type { Trx } from '../../db/db.ts';
import { makeId } from '../../lib/ids.ts';
import { crossesBelow, noticeMedia } from '../../notices/notice.ts';
import { insertNotice } from '../../notices/notice-store.ts';
import { lowBalanceOf } from '../../settings/settings.ts';
import { readSettings } from '../../settings/settings-store.ts';

export interface BalanceChange {
  userId: string;
  before: Amount;
  after: Amount;
  nowMs: number;
}

/**
 * Writes the notices of a change that led below the threshold, in the transaction that made it: the
 * wallet stays locked until its end, so `before` and `after` are no guesses. Charges do the same in
 * their chain.
 */
export async function noteLowBalance(
  trx: Trx,
  { userId, before, after, nowMs }: BalanceChange,
): Promise<void> {
  const threshold = lowBalanceOf(await readSettings(trx));
  if (!crossesBelow(threshold, { before, after })) return;
  for (const medium of noticeMedia) {
    await insertNotice(trx, {
      id: makeId('ntc', nowMs),
      userId,
      kind: 'low_balance',
      medium,
      balance: after,
      threshold,
      traceId: null,
      createdAt: nowMs,
    });
  }
}
