import type { Database, Db } from '../db/db.ts';
import { RevisionCache } from '../db/revision-cache.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { buildCatalog, type Catalog, type CatalogRecords } from './catalog.ts';
import { listModels } from './model-store.ts';
import { listSelections, listUpstreamModels } from './selection-store.ts';
import { listUpstreamKeys } from './upstream-key-store.ts';
import { listUpstreams } from './upstream-store.ts';

/** The catalog in memory, read again when an administrator changed it. */
export class CatalogCache {
  readonly #cache: RevisionCache<Catalog>;

  constructor(db: Database, secretBox: SecretBox) {
    this.#cache = new RevisionCache(db, 'catalog', async (handle) =>
      buildCatalog(await readCatalogRecords(handle), (sealed, rowId) =>
        secretBox.open(sealed, rowId),
      ),
    );
  }

  current(): Promise<Catalog> {
    return this.#cache.current();
  }

  close(): void {
    this.#cache.close();
  }
}

export async function readCatalogRecords(db: Db): Promise<CatalogRecords> {
  return {
    models: await listModels(db),
    upstreams: await listUpstreams(db),
    upstreamKeys: await listUpstreamKeys(db, { upstreamId: null }),
    upstreamModels: await listUpstreamModels(db, { upstreamId: null }),
    selections: await listSelections(db),
  };
}
