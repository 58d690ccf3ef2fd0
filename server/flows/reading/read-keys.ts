import { type Amount, zero } from '../../../shared/money.ts';
import type { ApiKey } from '../../accounts/api-key.ts';
import {
  type KeyChoice,
  type KeyPageWish,
  requireApiKey,
  turnApiKeys,
} from '../../accounts/api-key-store.ts';
import type { KeyBudget } from '../../accounts/key-budget.ts';
import { readKeyBudgets } from '../../accounts/key-budget-store.ts';
import type { Db } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { sumCostByKey } from '../../usage/usage-sums.ts';
import { spendOf, sumRefundsBy } from '../money/sum-refunds.ts';

/** An API key with what it may spend and what it spent. */
export interface KeyOverview {
  key: ApiKey;
  budget: KeyBudget;
  /** Charges less refunds, of requests within {@link keySpendMs}; null for more than an amount can be. */
  recentSpend: Amount | null;
}

const keySpendMs = 30 * 24 * 3_600_000;

/** A page of a user's keys, newest first. */
export async function readKeys(
  db: Db,
  wish: KeyPageWish,
): Promise<{ items: readonly KeyOverview[]; older: string | null }> {
  const { items, next } = await turnApiKeys(db, wish);
  return { items: await overviewsOf(db, items, wish.nowMs), older: next };
}

export async function readKey(db: Db, choice: KeyChoice, nowMs: number): Promise<KeyOverview> {
  const key = await requireApiKey(db, choice);
  return must((await overviewsOf(db, [key], nowMs))[0], 'the overview of a key');
}

async function overviewsOf(
  db: Db,
  keys: readonly ApiKey[],
  nowMs: number,
): Promise<readonly KeyOverview[]> {
  const ids = keys.map(({ id }) => id);
  const userIds = [...new Set(keys.map(({ userId }) => userId))];
  const budgets = await readKeyBudgets(db, ids);
  const wanted = { userIds, fromMs: nowMs - keySpendMs };
  const costs = await sumCostByKey(db, wanted);
  const refunds = await sumRefundsBy(db, 'api_key_id', wanted);
  return keys.map((key) => {
    const { id } = key;
    const cost = costs.get(id);
    return {
      key,
      budget: must(budgets.get(id), 'the budget of a key'),
      recentSpend: spendOf(cost === undefined ? zero : cost, refunds.get(id)),
    };
  });
}
