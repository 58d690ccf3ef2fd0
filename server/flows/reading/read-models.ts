import { readLastChanges } from '../../audit/audit-store.ts';
import { type CatalogRecords, servingRoutes } from '../../catalog/catalog.ts';
import { readCatalogRecords } from '../../catalog/catalog-cache.ts';
import { type Model, type Price, whyUnavailable } from '../../catalog/model.ts';
import { listPrices, requireModel } from '../../catalog/model-store.ts';
import type { SelectionOptions } from '../../catalog/upstream.ts';
import type { Db } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { countByModel } from '../../usage/usage-stats.ts';

/** A model with the two halves of what makes it usable: an enabled price, and an upstream. */
export interface ModelOverview {
  model: Model;
  selected: readonly SelectedUpstream[];
  /** Null when callers may use it. */
  missing: ReturnType<typeof whyUnavailable>;
  /** Within {@link modelRequestsMs}. */
  requests: number;
  /** When it, or what serves it, was last changed. */
  updatedAt: number;
}

/** An entry of an upstream's model list that an administrator selected for a model. */
export interface SelectedUpstream {
  upstreamId: string;
  upstreamName: string;
  upstreamModel: string;
  options: SelectionOptions;
  /** Whether requests may go there now. */
  serves: boolean;
}

const modelRequestsMs = 7 * 24 * 3_600_000;

/** By position. */
export async function readModels(db: Db, nowMs: number): Promise<readonly ModelOverview[]> {
  const records = await readCatalogRecords(db);
  const requests = await countByModel(db, { fromMs: nowMs - modelRequestsMs, toMs: nowMs });
  const changed = await readLastChanges(
    db,
    records.models.map(({ id }) => id),
  );
  const selections = selectedUpstreams(records);
  return records.models.map((model) => {
    const selected = selections.get(model.id) ?? [];
    return {
      model,
      selected,
      missing: whyUnavailable(
        model,
        selected.some(({ serves }) => serves),
      ),
      requests: requests.get(model.id) ?? 0,
      updatedAt: changed.get(model.id) ?? model.createdAt,
    };
  });
}

export interface ModelDetail extends ModelOverview {
  /** Newest first. */
  prices: readonly Price[];
}

const pricesShownMax = 100;

export async function readModel(db: Db, id: string, nowMs: number): Promise<ModelDetail> {
  await requireModel(db, id);
  const models = await readModels(db, nowMs);
  const overview = must(
    models.find(({ model }) => model.id === id),
    'a model that is there is listed',
  );
  return { ...overview, prices: await listPrices(db, id, pricesShownMax) };
}

/** By model ID. */
export function selectedUpstreams(
  records: Omit<CatalogRecords, 'models'>,
): ReadonlyMap<string, readonly SelectedUpstream[]> {
  const names = new Map(records.upstreams.map(({ id, name }) => [id, name]));
  const serving = servingRoutes(records);
  const ofModels = Map.groupBy(records.selections, ({ modelId }) => modelId);
  return new Map(
    [...ofModels].map(([modelId, selections]) => [
      modelId,
      selections.map(({ upstreamId, upstreamModel, options }) => ({
        upstreamId,
        upstreamName: names.get(upstreamId) ?? upstreamId,
        upstreamModel,
        options,
        serves: (serving.get(modelId) ?? []).some(
          (route) => route.upstreamId === upstreamId && route.upstreamModel === upstreamModel,
        ),
      })),
    ]),
  );
}
