/** Why an admit wrote nothing: looked up afterwards, for the chain itself tells no more than that. */
import { type Amount, amountFromMicros } from '../../../shared/money.ts';
import { limitReached } from '../../accounts/key-budget.ts';
import { readKeyBudget, type UseBudgetParams } from '../../accounts/key-budget-store.ts';
import { isPermitted, type PermitParams } from '../../accounts/permit.ts';
import type { Db } from '../../db/db.ts';
import { findClaimedKey } from '../../usage/idempotency-store.ts';
import { availableOf } from '../../wallets/wallet.ts';
import { readWallet } from '../../wallets/wallet-store.ts';

export type AdmitRefusal =
  | { kind: 'not_permitted' }
  | { kind: 'no_slot' }
  | { kind: 'no_key_slot'; slotsMax: number }
  | { kind: 'key_spent'; limit: string }
  | { kind: 'no_money'; available: Amount; needed: Amount }
  /** The Idempotency-Key stands for a request already. */
  | { kind: 'key_taken' };

/** What the admit asked for. */
type AskedParams = PermitParams & UseBudgetParams & { slotsMax: number };

/**
 * In the documented order: the key, then the slot, then the money. A repeat with its Idempotency-Key
 * asks for neither of them again. Null: nothing is in the way now.
 */
export async function whyRefused(
  db: Db,
  params: AskedParams,
  idempotencyKey: string | null,
): Promise<AdmitRefusal | null> {
  if (!(await isPermitted(db, params))) return { kind: 'not_permitted' };
  if (idempotencyKey !== null && (await isKeyTaken(db, params, idempotencyKey))) {
    return { kind: 'key_taken' };
  }
  const wallet = await readWallet(db, params.userId);
  if (!wallet) return { kind: 'not_permitted' };
  if (wallet.inFlight >= params.slotsMax) return { kind: 'no_slot' };
  const reached = await keyLimitReached(db, params);
  if (reached?.kind === 'no_key_slot') return reached;
  const available = availableOf(wallet);
  const needed = amountFromMicros(params.amount);
  return available < needed ? { kind: 'no_money', available, needed } : reached;
}

async function keyLimitReached(
  db: Db,
  { apiKeyId, amount, month }: AskedParams,
): Promise<AdmitRefusal | null> {
  const budget = await readKeyBudget(db, apiKeyId);
  const reached =
    budget && limitReached(budget, { amount: amountFromMicros(amount), monthNow: month });
  if (!reached) return null;
  return reached.kind === 'slots'
    ? { kind: 'no_key_slot', slotsMax: reached.slotsMax }
    : { kind: 'key_spent', limit: reached.limit };
}

async function isKeyTaken(db: Db, { apiKeyId }: AskedParams, key: string): Promise<boolean> {
  return (await findClaimedKey(db, { apiKeyId, key })) !== null;
}
