/** The part of the composition root that keeps in memory what every request asks of the database. */
import { KeyRing } from '../accounts/key-ring.ts';
import { CatalogCache } from '../catalog/catalog-cache.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { loadMasterKey } from '../lib/master-key.ts';
import { SecretBox } from '../lib/secret-box.ts';
import { SettingsCache } from '../settings/settings-cache.ts';
import type { AdapterPool } from '../upstreams/adapter-pool.ts';

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
  adapters: Pick<AdapterPool, 'keepOnly'>;
}

/** Invalidated by change. */
export interface Memory {
  keys: KeyRing;
  catalog: CatalogCache;
  settings: SettingsCache;
  secretBox: SecretBox;
}

export function openMemory(
  database: Database,
  { config, clock, log, adapters }: Surroundings,
): Memory {
  const secretBox = new SecretBox(loadMasterKey(config));
  return {
    keys: new KeyRing(database, clock),
    catalog: new CatalogCache(database, secretBox, {
      onUnusable: ({ name, key, reason }) =>
        log.error(
          { upstream: name, upstream_key: key, reason },
          key === null ? 'upstream cannot be used' : 'upstream key cannot be used',
        ),
      onRead: ({ upstreams }) => adapters.keepOnly(upstreams),
    }),
    secretBox,
    settings: new SettingsCache(database),
  };
}
