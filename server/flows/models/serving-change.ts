import { servedModels } from '../../catalog/catalog.ts';
import { readCatalogRecords } from '../../catalog/catalog-cache.ts';
import type { Db, Trx } from '../../db/db.ts';
import { type Admin, adminChange, type Change } from '../admin-change.ts';

/** What a change of upstreams meant for the models that they serve. */
export interface ServingChange<T> {
  result: T;
  /** Models that got their first upstream. */
  gained: readonly string[];
  /** Models that lost their last one, and cannot be used until they get another. */
  lost: readonly string[];
}

/** As `adminChange`, for what may take a model's last upstream away: it says so, in the audit too. */
export function changeServing<T>(
  admin: Admin,
  work: (trx: Trx, nowMs: number) => Promise<Change<T>>,
): Promise<ServingChange<T>> {
  return adminChange(admin, async (trx, nowMs) => {
    const before = await readServed(trx);
    const { result, entry } = await work(trx, nowMs);
    const after = await readServed(trx);
    const gained = [...after].filter((model) => !before.has(model));
    const lost = [...before].filter((model) => !after.has(model));
    const detail = lost.length > 0 ? { ...entry?.detail, models_lost: lost } : entry?.detail;
    return {
      result: { result, gained, lost },
      entry: entry && { ...entry, detail: detail ?? {} },
    };
  });
}

async function readServed(db: Db): Promise<ReadonlySet<string>> {
  return servedModels(await readCatalogRecords(db));
}
