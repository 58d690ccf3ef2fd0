import type { Bootstrap } from '../../shared/console/session.ts';
import { type Amount, formatAmount } from '../../shared/money.ts';
import { rightsOf } from '../accounts/rights.ts';
import { isSetUp, readPreferences, requireUser } from '../accounts/user-store.ts';
import type { Database } from '../db/db.ts';
import { must } from '../lib/assert.ts';
import type { SettingsCache } from '../settings/settings-cache.ts';
import { availableOf } from '../wallets/wallet.ts';
import { readWallet } from '../wallets/wallet-store.ts';

interface BootstrapDeps {
  database: Database;
  settings: SettingsCache;
  options: {
    version: string;
    oidcName: string | null;
    sendsMail: boolean;
    publicUrl: string | null;
  };
}

/** One answer for everything that a page needs before its first paint. */
export async function readBootstrap(
  deps: BootstrapDeps,
  viewer: { userId: string } | null,
): Promise<Bootstrap> {
  const { database, options } = deps;
  const settings = await deps.settings.current();
  return {
    version: options.version,
    installation: {
      name: settings.installationName,
      currency: settings.currency,
      is_set_up: await isSetUp(database),
      registration: settings.registration,
      oidc: options.oidcName === null ? null : { name: options.oidcName },
      sends_mail: options.sendsMail,
      public_url: options.publicUrl?.replace(/\/+$/, '') ?? null,
    },
    user: viewer && (await readSignedIn(deps, viewer.userId)),
  };
}

async function readSignedIn({ database, settings }: BootstrapDeps, userId: string) {
  const user = await requireUser(database, userId);
  const wallet = must(await readWallet(database, userId), 'the wallet of a user');
  const { slotsPerUser } = await settings.current();
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    rights: [...rightsOf(user.role)],
    preferences: await readPreferences(database, userId),
    wallet: {
      balance: presentAmount(wallet.balance),
      held: presentAmount(wallet.held),
      available: presentAmount(availableOf(wallet)),
    },
    slots: { max: user.slotsMax ?? slotsPerUser, running: wallet.inFlight },
  };
}

/** An amount as the console's API gives it. */
export function presentAmount(amount: Amount): { micros: number; text: string } {
  return { micros: amount, text: formatAmount(amount) };
}
