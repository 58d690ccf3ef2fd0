/** The part of the composition root that keeps in memory what every request asks of the database. */
import { KeyRing } from './accounts/key-ring.ts';
import { CatalogCache } from './catalog/catalog-cache.ts';
import type { Config } from './config.ts';
import type { Database } from './db/db.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { loadMasterKey } from './lib/master-key.ts';
import { SecretBox } from './lib/secret-box.ts';
import { SettingsCache } from './settings/settings-cache.ts';

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
}

/** Invalidated by change. */
export interface Memory {
  keys: KeyRing;
  catalog: CatalogCache;
  settings: SettingsCache;
  secretBox: SecretBox;
}

export function openMemory(database: Database, { config, clock, log }: Surroundings): Memory {
  const secretBox = new SecretBox(loadMasterKey(config));
  return {
    keys: new KeyRing(database, clock),
    catalog: new CatalogCache(database, secretBox, ({ name, key, reason }) =>
      log.error(
        { upstream: name, upstream_key: key, reason },
        key === null ? 'upstream cannot be used' : 'upstream key cannot be used',
      ),
    ),
    secretBox,
    settings: new SettingsCache(database),
  };
}
