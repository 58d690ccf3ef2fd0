/** What can be called right now, as one immutable picture of models, upstreams and selections. */
import { createHash } from 'node:crypto';
import { OperatorError } from '../lib/operator-error.ts';
import { type Model, whyUnavailable } from './model.ts';
import type {
  Selection,
  SelectionOptions,
  Upstream,
  UpstreamKey,
  UpstreamLimits,
  UpstreamModel,
  UpstreamSettings,
} from './upstream.ts';

/** An enabled upstream, its secrets opened. */
export interface CatalogUpstream {
  id: string;
  name: string;
  kind: string;
  baseUrl: string | null;
  settings: UpstreamSettings;
  limits: UpstreamLimits;
  /** URL of the proxy that leads to it. */
  proxy: string | null;
  /** The enabled ones; none where the upstream was given none. */
  keys: readonly CatalogKey[];
  /** Lower goes first. */
  priority: number;
  /** Share of the requests among upstreams of one priority. */
  weight: number;
  /**
   * Differs whenever an adapter built for this upstream would have to be built anew; the same in every
   * process.
   */
  revision: string;
}

/** A credential, opened. */
export interface CatalogKey {
  id: string;
  name: string;
  credential: string;
  /** The same as it is stored: by this it is known whether it was replaced meanwhile. */
  sealedCredential: string;
  /** See `UpstreamKey`. */
  enabledTimes: number;
}

/** One way to serve a model. */
export interface Route {
  upstream: CatalogUpstream;
  upstreamModel: string;
  options: SelectionOptions;
}

export interface Catalog {
  /** By position. */
  readonly models: readonly Model[];
  /** The enabled ones, in order of priority. */
  readonly upstreams: readonly CatalogUpstream[];
  /** What of the enabled upstreams cannot be used, and why: no enabled key, a secret that does not open. */
  readonly unusable: readonly UnusableUpstream[];
  model(id: string): Model | null;
  /** In order of priority, heavier weights first. Says nothing of price or `enabled`. */
  routesOf(modelId: string): readonly Route[];
  /** Whether callers may use it: an enabled price, and a route. */
  isAvailable(modelId: string): boolean;
}

export interface UnusableUpstream {
  /** The upstream's. */
  name: string;
  /** Name of the key that does not work, where the others still serve. */
  key: string | null;
  reason: string;
}

export interface CatalogRecords {
  /** By position. */
  models: readonly Model[];
  /** In order of priority. */
  upstreams: readonly Upstream[];
  upstreamKeys: readonly UpstreamKey[];
  /** Those that are selected, once for each model. */
  upstreamModels: readonly UpstreamModel[];
  selections: readonly Selection[];
}

/**
 * @param open opens a sealed credential of the row named; throws an OperatorError when it cannot
 */
export function buildCatalog(records: CatalogRecords, open: Open): Catalog {
  const { upstreams, unusable } = openUpstreams(records, open);
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

type ServingRecords = Pick<
  CatalogRecords,
  'upstreams' | 'upstreamKeys' | 'upstreamModels' | 'selections'
>;

/** The models that have a route, whatever their price. */
export function servedModels(records: ServingRecords): ReadonlySet<string> {
  return new Set(servingRoutes(records).keys());
}

/** The ways to serve each model, whatever its price; a model that has none is not among them. */
export function servingRoutes(
  records: ServingRecords,
): ReadonlyMap<string, readonly { upstreamId: string; upstreamModel: string }[]> {
  const usable = records.upstreams.filter(
    (upstream) => upstream.enabled && hasUsableKeys(keysOf(upstream, records.upstreamKeys)),
  );
  const routes = [...routesByModel(records, usable)];
  return new Map(
    routes.map(([modelId, ways]) => [
      modelId,
      ways.map(({ upstream, upstreamModel }) => ({ upstreamId: upstream.id, upstreamModel })),
    ]),
  );
}

/**
 * An upstream that was given keys works with them only: without one it would refuse every call. One
 * that was given none needs none; see `flows/upstreams/key-need.ts`.
 */
export function hasUsableKeys(keys: readonly Pick<UpstreamKey, 'enabled'>[]): boolean {
  return keys.length === 0 || keys.some(({ enabled }) => enabled);
}

type Open = (sealed: string, rowId: string) => string;

function openUpstreams(
  { upstreams, upstreamKeys }: Pick<CatalogRecords, 'upstreams' | 'upstreamKeys'>,
  open: Open,
): { upstreams: CatalogUpstream[]; unusable: UnusableUpstream[] } {
  const opened: CatalogUpstream[] = [];
  const unusable: UnusableUpstream[] = [];
  for (const upstream of upstreams.filter(({ enabled }) => enabled)) {
    const { id, name, sealedProxy } = upstream;
    const given = keysOf(upstream, upstreamKeys);
    const keys = openKeys(
      given.filter(({ enabled }) => enabled),
      open,
    );
    const proxy = sealedProxy === null ? null : opening('the proxy', () => open(sealedProxy, id));
    if (!hasUsableKeys(given)) {
      unusable.push({ name, key: null, reason: 'none of its keys is enabled' });
    } else if (proxy !== null && 'reason' in proxy) {
      unusable.push({ name, key: null, reason: proxy.reason });
    } else if (keys.opened.length === 0 && keys.closed[0]) {
      unusable.push({ name, key: null, reason: keys.closed[0].reason });
    } else {
      const secrets = { keys: keys.opened, proxy: proxy?.secret ?? null };
      opened.push(openUpstream(upstream, secrets));
      unusable.push(...keys.closed.map((closed) => ({ name, ...closed })));
    }
  }
  return { upstreams: opened, unusable };
}

function keysOf({ id }: Upstream, keys: readonly UpstreamKey[]): readonly UpstreamKey[] {
  return keys.filter(({ upstreamId }) => upstreamId === id);
}

type ClosedKey = Pick<UnusableUpstream, 'key' | 'reason'>;

/** The others go on working when one does not open. */
function openKeys(
  keys: readonly UpstreamKey[],
  open: Open,
): { opened: CatalogKey[]; closed: ClosedKey[] } {
  const opened: CatalogKey[] = [];
  const closed: ClosedKey[] = [];
  for (const { id, name, upstreamId, sealedCredential, enabledTimes } of keys) {
    const credential = opening(`the key ${name}`, () => open(sealedCredential, upstreamId));
    if ('reason' in credential) closed.push({ key: name, reason: credential.reason });
    else {
      opened.push({
        id,
        name,
        credential: credential.secret,
        sealedCredential,
        enabledTimes,
      });
    }
  }
  return { opened, closed };
}

function opening(what: string, open: () => string): { secret: string } | { reason: string } {
  try {
    return { secret: open() };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { reason: `${what} does not open: ${error.message}` };
  }
}

function openUpstream(
  upstream: Upstream,
  { keys, proxy }: Pick<CatalogUpstream, 'keys' | 'proxy'>,
): CatalogUpstream {
  const { id, name, kind, baseUrl, settings, limits, sealedProxy, begunTimes } = upstream;
  const { priority, weight } = upstream;
  // Keys are not part of it: each call is given one.
  const revision = createHash('sha256')
    .update(JSON.stringify([id, name, kind, baseUrl, settings, limits, sealedProxy, begunTimes]))
    .digest('hex');
  return { id, name, kind, baseUrl, settings, limits, proxy, keys, priority, weight, revision };
}

/** The order of `upstreams` is the order of the routes. */
function routesByModel<U extends { id: string }>(
  { upstreamModels, selections }: Pick<CatalogRecords, 'upstreamModels' | 'selections'>,
  upstreams: readonly U[],
): ReadonlyMap<string, (Omit<Route, 'upstream'> & { upstream: U })[]> {
  const listed = new Set(
    upstreamModels
      .filter(({ goneAt }) => goneAt === null)
      .map(({ upstreamId, upstreamModel }) => JSON.stringify([upstreamId, upstreamModel])),
  );
  const routes = new Map<string, (Omit<Route, 'upstream'> & { upstream: U })[]>();
  const ofUpstreams = Map.groupBy(selections, ({ upstreamId }) => upstreamId);
  for (const upstream of upstreams) {
    for (const { modelId, upstreamModel, options } of ofUpstreams.get(upstream.id) ?? []) {
      if (!listed.has(JSON.stringify([upstream.id, upstreamModel]))) continue;
      const ofModel = routes.get(modelId) ?? [];
      ofModel.push({ upstream, upstreamModel, options });
      routes.set(modelId, ofModel);
    }
  }
  return routes;
}
