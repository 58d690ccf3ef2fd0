import { zero } from '../../../shared/money.ts';
import { countApiKeys } from '../../accounts/api-key-store.ts';
import { isSetUp } from '../../accounts/user-store.ts';
import type { CatalogCache } from '../../catalog/catalog-cache.ts';
import { listUpstreams } from '../../catalog/upstream-store.ts';
import type { Database, Db } from '../../db/db.ts';
import { listUsage } from '../../usage/usage-list.ts';
import { readWallet } from '../../wallets/wallet-store.ts';

/** Which steps of the setup are done, as the data show it: nothing of it is stored. */
export interface SetupState {
  account: boolean;
  upstream: boolean;
  models: boolean;
  wallet: boolean;
  key: boolean;
  picture: boolean;
}

/** @param userId of the administrator who sets up; null before there is one */
export async function readSetupState(
  { database, catalog }: { database: Database; catalog: CatalogCache },
  userId: string | null,
): Promise<SetupState> {
  const account = await isSetUp(database);
  if (userId === null) {
    return { account, upstream: false, models: false, wallet: false, key: false, picture: false };
  }
  const offered = await catalog.current();
  const wallet = await readWallet(database, userId);
  return {
    account,
    upstream: (await listUpstreams(database)).some(({ enabled }) => enabled),
    models: offered.models.some(({ id }) => offered.isAvailable(id)),
    wallet: (wallet?.balance ?? zero) > zero,
    key: (await countApiKeys(database, userId)) > 0,
    picture: await hasPicture(database, userId),
  };
}

async function hasPicture(db: Db, userId: string): Promise<boolean> {
  const page = await listUsage(db, { userId, status: 'succeeded' }, { after: null, limit: 1 });
  return page.items.length > 0;
}
