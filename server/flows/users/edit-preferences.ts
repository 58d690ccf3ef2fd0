import { type Preferences, preferencesSchema } from '../../accounts/preferences.ts';
import { readPreferences, writePreferences } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import { lockKeptUser } from '../lock-kept-user.ts';

/** How the console looks is nobody's business but its user's: no audit entry. */
export function editPreferences(
  { database }: { database: Database },
  userId: string,
  changes: { readonly [K in keyof Preferences]?: Preferences[K] | undefined },
): Promise<Preferences> {
  return database.transaction(async (trx) => {
    await lockKeptUser(trx, userId);
    const before = await readPreferences(trx, userId);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    const after = preferencesSchema.parse({ ...before, ...Object.fromEntries(given) });
    await writePreferences(trx, userId, after);
    return after;
  });
}
