import type { Database, Db } from '../db/db.ts';
import { RevisionCache } from '../db/revision-cache.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import {
  buildCatalog,
  type Catalog,
  type CatalogRecords,
  type UnusableUpstream,
} from './catalog.ts';
import { listModels } from './model-store.ts';
import { listSelectedUpstreamModels, listSelections } from './selection-store.ts';
import { listUpstreamKeys } from './upstream-key-store.ts';
import { listUpstreams } from './upstream-store.ts';

export interface CatalogEvents {
  /** Told of what cannot be used as soon as it is read, once for as long as it lasts. */
  onUnusable: (unusable: UnusableUpstream) => void;
  /** Told of each catalog as soon as it is read. */
  onRead: (catalog: Catalog) => void;
}

/** The catalog in memory, read again when an administrator changed it. */
export class CatalogCache {
  readonly #cache: RevisionCache<Catalog>;

  constructor(
    db: Database,
    secretBox: SecretBox,
    { onUnusable = () => {}, onRead = () => {} }: Partial<CatalogEvents> = {},
  ) {
    let told: ReadonlySet<string> = new Set();
    this.#cache = new RevisionCache(db, 'catalog', async (handle) => {
      const records = await readCatalogRecords(handle);
      const catalog = buildCatalog(records, (sealed, rowId) => secretBox.open(sealed, rowId));
      const news = new Map(catalog.unusable.map((each) => [JSON.stringify(each), each]));
      for (const [text, each] of news) if (!told.has(text)) onUnusable(each);
      told = new Set(news.keys());
      onRead(catalog);
      return catalog;
    });
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
    upstreamModels: await listSelectedUpstreamModels(db),
    selections: await listSelections(db),
  };
}
