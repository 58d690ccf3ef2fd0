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
  /** Charges less refunds, of the time that was asked for; null for more than an amount can be. */
  recentSpend: Amount | null;
}

/**
 * A page of a user's keys, newest first.
 *
 * @param fromMs since when what was spent is summed up
 */
export async function readKeys(
  db: Db,
  { fromMs, ...wish }: KeyPageWish & { fromMs: number },
): Promise<{ items: readonly KeyOverview[]; older: string | null }> {
  const { items, next } = await turnApiKeys(db, wish);
  return { items: await overviewsOf(db, items, fromMs), older: next };
}

export async function readKey(db: Db, choice: KeyChoice, fromMs: number): Promise<KeyOverview> {
  const key = await requireApiKey(db, choice);
  return must((await overviewsOf(db, [key], fromMs))[0], 'the overview of a key');
}

async function overviewsOf(
  db: Db,
  keys: readonly ApiKey[],
  fromMs: number,
): Promise<readonly KeyOverview[]> {
  const ids = keys.map(({ id }) => id);
  const userIds = [...new Set(keys.map(({ userId }) => userId))];
  const budgets = await readKeyBudgets(db, ids);
  const wanted = { userIds, fromMs };
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
