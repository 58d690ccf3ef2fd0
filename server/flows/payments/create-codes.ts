import {
  type Amount,
  amountFromMicros,
  amountMax,
  formatAmount,
  multiplyAmount,
  zero,
} from '../../../shared/money.ts';
import type { Trx } from '../../db/db.ts';
import { makeId } from '../../lib/ids.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { type Code, codeLimits, hashCode, makeCode, parseCodeNote } from '../../payments/code.ts';
import { hasCodes, insertCodes } from '../../payments/code-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { lockActingAdmin } from '../users/lock-acting-admin.ts';

export interface CodeOrder {
  /** Made up by whoever orders them; ours unless given. */
  batchId?: string | undefined;
  /** Of each. */
  amount: Amount;
  count: number;
  /** For administrators, and on the entry of who redeems one. */
  note: string | null;
  expiresAt: number | null;
  /** The word before each code. */
  prefix: string;
}

export interface CodeBatch {
  id: string;
  codes: readonly Code[];
  /** The codes themselves, in the same order: shown this once. */
  secrets: readonly string[];
}

/** Makes codes that stand for money, once for each batch. Only their hashes are stored. */
export function createCodes(admin: Admin, order: CodeOrder): Promise<CodeBatch> {
  const { amount, count, expiresAt, prefix } = order;
  const { perBatchMax, lifeMsMax } = codeLimits;
  const note = parseCodeNote(order.note);
  if (amount <= zero) throw invalidRequest('amount', 'The amount must be greater than zero.');
  if (!Number.isInteger(count) || count < 1 || count > perBatchMax) {
    throw invalidRequest('count', `1 to ${perBatchMax} codes are made at once.`);
  }
  if (amount > amountMax / count) {
    const most = formatAmount(amountFromMicros(amountMax));
    throw invalidRequest('amount', `The codes of one batch may be worth at most ${most} together.`);
  }
  return adminChange(admin, async (trx, nowMs) => {
    if (expiresAt !== null && (expiresAt <= nowMs || expiresAt > nowMs + lifeMsMax)) {
      throw invalidRequest('expires_at', 'Codes must expire in the future, and within ten years.');
    }
    const batchId = order.batchId ?? makeId('bat', nowMs);
    if (order.batchId !== undefined) await refuseSecond(trx, admin, batchId);
    const secrets = Array.from({ length: count }, () => makeCode(prefix));
    const codes = secrets.map((secret) => ({
      id: makeId('cod', nowMs),
      batchId,
      hash: hashCode(secret),
      lastFour: secret.slice(-4),
      amount,
      note,
      createdBy: admin.actor,
      createdAt: nowMs,
      expiresAt,
      redeemedBy: null,
      redeemedAt: null,
      withdrawnAt: null,
    }));
    await insertCodes(trx, codes);
    return {
      result: { id: batchId, codes, secrets },
      entry: {
        action: 'code.create',
        subject: batchId,
        detail: {
          count,
          amount: formatAmount(amount),
          sum: formatAmount(multiplyAmount(amount, count)),
          note,
        },
        topic: null,
      },
    };
  });
}

/** Of two orders that come at once, one waits for the other. */
async function refuseSecond(trx: Trx, admin: Admin, batchId: string): Promise<void> {
  await lockActingAdmin(trx, admin);
  if (!(await hasCodes(trx, batchId))) return;
  throw invalidRequest('batch', 'The codes of this batch were made already.');
}
