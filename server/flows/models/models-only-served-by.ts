import { servedModels } from '../../catalog/catalog.ts';
import { readCatalogRecords } from '../../catalog/catalog-cache.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import type { Db } from '../../db/db.ts';

/**
 * The models that nothing would serve any more without an upstream.
 *
 * @param idOrName of the upstream
 */
export async function modelsOnlyServedBy(db: Db, idOrName: string): Promise<readonly string[]> {
  const { id } = await requireUpstream(db, idOrName);
  const records = await readCatalogRecords(db);
  const upstreams = records.upstreams.filter((upstream) => upstream.id !== id);
  const others = servedModels({ ...records, upstreams });
  return [...servedModels(records)].filter((modelId) => !others.has(modelId)).sort();
}
