import { isSetUp } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';

/** Whether anybody may open an account. The first one is the administrator's, whatever is set. */
export async function isRegistrationOpen({
  settings,
  database,
}: {
  settings: SettingsCache;
  database: Database;
}): Promise<boolean> {
  const { registration } = await settings.current();
  return registration === 'open' && (await isSetUp(database));
}
