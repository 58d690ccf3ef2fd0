import type { Preferences } from '../../accounts/preferences.ts';
import type { User } from '../../accounts/user.ts';
import { isSetUp, readPreferences, requireUser } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import { readWallet } from '../../wallets/wallet-store.ts';
import { type AttentionCounts, countAttention } from './count-attention.ts';
import type { UpstreamLanes } from './read-upstreams.ts';

/** What every page needs before its first paint. */
export interface Installation {
  settings: Settings;
  isSetUp: boolean;
  /** Null when nobody is. */
  signedIn: SignedIn | null;
}

export interface SignedIn {
  user: User;
  preferences: Preferences;
  wallet: Wallet;
  /** Null for who is no administrator. */
  attention: AttentionCounts | null;
}

interface Sources {
  database: Database;
  settings: SettingsCache;
  lanes: UpstreamLanes;
}

export async function readBootstrap(
  { database, settings, lanes }: Sources,
  viewer: { userId: string } | null,
): Promise<Installation> {
  return {
    settings: await settings.current(),
    isSetUp: await isSetUp(database),
    signedIn: viewer && (await readSignedIn({ database, lanes }, viewer.userId)),
  };
}

async function readSignedIn(
  { database, lanes }: Omit<Sources, 'settings'>,
  userId: string,
): Promise<SignedIn> {
  const user = await requireUser(database, userId);
  return {
    user,
    preferences: await readPreferences(database, userId),
    wallet: must(await readWallet(database, userId), 'the wallet of a user'),
    attention:
      user.role === 'admin' ? await database.snapshot((db) => countAttention(db, lanes)) : null,
  };
}
