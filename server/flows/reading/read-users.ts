import type { Amount } from '../../../shared/money.ts';
import {
  countKeysByUser,
  type FoundUser,
  searchUsers,
  type UserFilter,
} from '../../accounts/user-search-store.ts';
import { requireUser } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { must } from '../../lib/assert.ts';
import {
  readLastRequests,
  readUserActivity,
  type StatsRange,
  type UserActivity,
} from '../../usage/usage-stats.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import { readWallets } from '../../wallets/wallet-list-store.ts';
import { spendOf, sumRefundsBy } from '../money/sum-refunds.ts';

export interface UserOverview {
  user: FoundUser;
  wallet: Wallet;
  /** Of the time that was asked for. */
  activity: UserActivity;
  /** Of the same time: charges less refunds; null for more than an amount can be. */
  spend: Amount | null;
  /** Not revoked. */
  keys: number;
  /** In the console or by a request; null when never. */
  lastActiveAt: number | null;
}

/** By e-mail address; what they did is that of the range. */
export async function readUsers(
  db: Db,
  filter: UserFilter,
  page: PageRequest,
  range: StatsRange,
): Promise<Page<UserOverview>> {
  const { items: users, next } = await searchUsers(db, filter, page);
  const ids = users.map(({ id }) => id);
  const wallets = await readWallets(db, ids);
  const activities = await readUserActivity(db, ids, range);
  const refunds = await sumRefundsBy(db, 'user_id', { userIds: ids, fromMs: range.fromMs });
  const keys = await countKeysByUser(db, ids);
  const requests = await readLastRequests(db, ids);
  const items = users.map((user) => {
    const activity = must(activities.get(user.id), 'the activity of a user');
    return {
      user,
      wallet: must(wallets.get(user.id), 'the wallet of a user'),
      activity,
      spend: spendOf(activity.cost, refunds.get(user.id)),
      keys: keys.get(user.id) ?? 0,
      lastActiveAt: latest(user.lastSeenAt, requests.get(user.id) ?? null),
    };
  });
  return { items, next };
}

/** @param idOrEmail of the user */
export async function readUser(
  db: Db,
  idOrEmail: string,
  range: StatsRange,
): Promise<UserOverview> {
  const { id } = await requireUser(db, idOrEmail);
  const { items } = await readUsers(db, { id }, { after: null, limit: 1 }, range);
  return must(items[0], 'a user who is there is found');
}

function latest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
