/** What can be called right now, as one immutable picture of models, upstreams and selections. */
import { createHash } from 'node:crypto';
import { OperatorError } from '../lib/operator-error.ts';
import { type Model, whyUnavailable } from './model.ts';
import type { Selection, Upstream, UpstreamModel, UpstreamSettings } from './upstream.ts';

export type CatalogModel = Model;

/** An enabled upstream, its credential opened. */
export interface CatalogUpstream {
  id: string;
  name: string;
  kind: string;
  baseUrl: string | null;
  credential: string | null;
  settings: UpstreamSettings;
  /** Lower goes first. */
  priority: number;
  /** Share of the requests among upstreams of one priority. */
  weight: number;
  /** Differs whenever an adapter built for this upstream would have to be built anew. */
  revision: string;
}

/** One way to serve a model. */
export interface Route {
  upstream: CatalogUpstream;
  upstreamModel: string;
}

export interface Catalog {
  /** By position. */
  readonly models: readonly CatalogModel[];
  /** The enabled ones, in order of priority. */
  readonly upstreams: readonly CatalogUpstream[];
  /** Enabled upstreams that cannot be used, and why: a credential that does not open. */
  readonly unusable: readonly UnusableUpstream[];
  model(id: string): CatalogModel | null;
  /** In order of priority, heavier weights first. Says nothing of price or `enabled`. */
  routesOf(modelId: string): readonly Route[];
  /** Whether callers may use it: an enabled price, and a route. */
  isAvailable(modelId: string): boolean;
}

export interface UnusableUpstream {
  name: string;
  reason: string;
}

export interface CatalogRecords {
  /** By position. */
  models: readonly Model[];
  /** In order of priority. */
  upstreams: readonly Upstream[];
  upstreamModels: readonly UpstreamModel[];
  selections: readonly Selection[];
}

/** @param open opens a sealed credential of the row named; throws an OperatorError when it cannot */
export function buildCatalog(
  records: CatalogRecords,
  open: (sealed: string, rowId: string) => string,
): Catalog {
  const { upstreams, unusable } = openUpstreams(records.upstreams, open);
  const models = new Map(records.models.map((model) => [model.id, model]));
  const routes = routesByModel(records, upstreams);
  const routesOf = (modelId: string) => routes.get(modelId) ?? [];
  return {
    models: records.models,
    upstreams,
    unusable,
    model: (id) => models.get(id) ?? null,
    routesOf,
    isAvailable: (id) => {
      const model = models.get(id);
      return model !== undefined && whyUnavailable(model, routesOf(id).length > 0) === null;
    },
  };
}

/** The models that have a route, whatever their price. */
export function servedModels(records: Omit<CatalogRecords, 'models'>): ReadonlySet<string> {
  const enabled = records.upstreams.filter((upstream) => upstream.enabled);
  return new Set(routesByModel(records, enabled).keys());
}

function openUpstreams(
  upstreams: readonly Upstream[],
  open: (sealed: string, rowId: string) => string,
): { upstreams: CatalogUpstream[]; unusable: UnusableUpstream[] } {
  const opened: CatalogUpstream[] = [];
  const unusable: UnusableUpstream[] = [];
  for (const upstream of upstreams.filter(({ enabled }) => enabled)) {
    try {
      opened.push(openUpstream(upstream, open));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      // The others go on working.
      unusable.push({ name: upstream.name, reason: error.message });
    }
  }
  return { upstreams: opened, unusable };
}

function openUpstream(
  upstream: Upstream,
  open: (sealed: string, rowId: string) => string,
): CatalogUpstream {
  const { id, name, kind, baseUrl, sealedCredential, settings, priority, weight } = upstream;
  const credential = sealedCredential === null ? null : open(sealedCredential, id);
  const revision = createHash('sha256')
    .update(JSON.stringify([id, name, kind, baseUrl, sealedCredential, settings]))
    .digest('hex');
  return { id, name, kind, baseUrl, credential, settings, priority, weight, revision };
}

/** The order of `upstreams` is the order of the routes. */
function routesByModel<U extends { id: string }>(
  { upstreamModels, selections }: Pick<CatalogRecords, 'upstreamModels' | 'selections'>,
  upstreams: readonly U[],
): ReadonlyMap<string, { upstream: U; upstreamModel: string }[]> {
  const listed = new Set(
    upstreamModels
      .filter(({ goneAt }) => goneAt === null)
      .map(({ upstreamId, upstreamModel }) => JSON.stringify([upstreamId, upstreamModel])),
  );
  const routes = new Map<string, { upstream: U; upstreamModel: string }[]>();
  for (const upstream of upstreams) {
    for (const { modelId, upstreamId, upstreamModel } of selections) {
      if (upstreamId !== upstream.id) continue;
      if (!listed.has(JSON.stringify([upstreamId, upstreamModel]))) continue;
      const ofModel = routes.get(modelId) ?? [];
      routes.set(modelId, [...ofModel, { upstream, upstreamModel }]);
    }
  }
  return routes;
}
