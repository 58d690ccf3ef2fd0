import { zero } from '../../shared/money.ts';
import { isSetUp } from '../accounts/user-store.ts';
import type { CatalogCache } from '../catalog/catalog-cache.ts';
import type { Database, Db } from '../db/db.ts';
import { readWallet } from '../wallets/wallet-store.ts';

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
    upstream: await hasUpstream(database),
    models: offered.models.some(({ id }) => offered.isAvailable(id)),
    wallet: (wallet?.balance ?? zero) > zero,
    key: await hasKey(database, userId),
    picture: await hasPicture(database, userId),
  };
}

async function hasUpstream({ kysely }: Db): Promise<boolean> {
  const row = await kysely
    .selectFrom('upstreams')
    .select('id')
    .where('enabled', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function hasKey({ kysely }: Db, userId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'api')
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function hasPicture({ kysely }: Db, userId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('usage_records')
    .select('trace_id')
    .where('user_id', '=', userId)
    .where('status', '=', 'succeeded')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
