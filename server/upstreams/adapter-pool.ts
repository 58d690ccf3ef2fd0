import { type GuardedHttp, openGuardedHttp } from '../lib/outgoing/guarded-http.ts';
import { invalidRequest, ServiceError } from '../lib/service-error.ts';
import type { AdapterKind, OpenUpstreamHttp, UpstreamConfig } from './adapter-kind.ts';
import { closeAfterRuns } from './close-after-runs.ts';
import type { Adapter } from './upstream.ts';

/** What identifies an upstream and the state of its configuration. */
export interface PooledUpstream extends UpstreamConfig, ConnectionSettings {
  id: string;
  kind: string;
  /** Changes whenever the configuration does. */
  revision: string;
}

/** How an upstream is reached. */
export interface ConnectionSettings {
  /** URL of the proxy that leads to it; null for none. */
  proxy: string | null;
  limits: { firstByteMs: number; idleMs: number };
}

/** An adapter, or why there is none: an upstream that was configured for another version. */
export type PooledAdapter =
  | { kind: 'ready'; adapter: Adapter }
  | { kind: 'broken'; reason: string };

export interface PoolEvents {
  /** Once for each configuration that cannot work. */
  onBroken: (upstreamName: string, reason: string) => void;
  onCloseError: (error: unknown) => void;
}

/** A request goes by one configuration to its end, so for a while there may be two of them. */
const revisionsPerUpstreamMax = 2;

/**
 * Keeps one adapter for each upstream in use and builds a new one when its configuration changes. Requests that still go
 * by the one before have an adapter of their own: it has its own address, to which alone their credentials belong.
 */
export class AdapterPool {
  readonly #kinds: ReadonlyMap<string, AdapterKind>;
  /** By upstream and revision, in the order in which they were built. */
  readonly #pooled = new Map<string, Map<string, PooledAdapter>>();
  readonly #events: PoolEvents;

  constructor(kinds: ReadonlyMap<string, AdapterKind>, events: PoolEvents) {
    this.#kinds = kinds;
    this.#events = events;
  }

  get(upstream: PooledUpstream): PooledAdapter {
    const { id, name, revision } = upstream;
    const revisions = this.#pooled.get(id) ?? new Map<string, PooledAdapter>();
    const pooled = revisions.get(revision);
    if (pooled) return pooled;
    const built = this.#build(upstream);
    this.#pooled.set(id, revisions.set(revision, built));
    if (built.kind === 'broken') this.#events.onBroken(name, built.reason);
    const [oldest] = revisions;
    if (oldest && revisions.size > revisionsPerUpstreamMax) this.#drop(revisions, oldest);
    return built;
  }

  /**
   * Closes the adapters of all other configurations, which came to an end: of upstreams that were changed, disabled or
   * removed. What a request that still goes by one has built anew is closed at the next call.
   */
  keepOnly(upstreams: readonly Pick<PooledUpstream, 'id' | 'revision'>[]): void {
    const kept = new Map(upstreams.map(({ id, revision }) => [id, revision]));
    for (const [id, revisions] of this.#pooled) {
      for (const [revision, built] of revisions) {
        if (kept.get(id) !== revision) this.#drop(revisions, [revision, built]);
      }
      if (revisions.size === 0) this.#pooled.delete(id);
    }
  }

  async close(): Promise<void> {
    const all = [...this.#pooled.values()].flatMap((revisions) => [...revisions.values()]);
    this.#pooled.clear();
    await Promise.all(
      all.map(async (built) => {
        if (built.kind === 'ready') await built.adapter.close();
      }),
    );
  }

  #build(upstream: PooledUpstream): PooledAdapter {
    const kind = this.#kinds.get(upstream.kind);
    if (!kind) return { kind: 'broken', reason: `there is no adapter kind ${upstream.kind}` };
    try {
      return { kind: 'ready', adapter: createAdapter(kind, upstream, upstream) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { kind: 'broken', reason: error.message };
    }
  }

  #drop(
    revisions: Map<string, PooledAdapter>,
    [revision, built]: readonly [string, PooledAdapter],
  ): void {
    revisions.delete(revision);
    // Attempts under way keep its connections until they end.
    if (built.kind === 'ready') built.adapter.close().catch(this.#events.onCloseError);
  }
}

/**
 * Builds an upstream's adapter, with connections of its own that end when it is closed and what runs
 * has ended. Throws a ServiceError for a configuration with which it could not work.
 */
export function createAdapter(
  kind: AdapterKind,
  config: UpstreamConfig,
  { proxy, limits: { firstByteMs, idleMs } }: ConnectionSettings,
): Adapter {
  checkBaseUrl(kind, config);
  const opened: GuardedHttp[] = [];
  const openHttp: OpenUpstreamHttp = ({ origins }) => {
    const http = closedOnce(openGuardedHttp({ origins, proxy, firstByteMs, idleMs }));
    opened.push(http);
    return http;
  };
  const { name, baseUrl, settings } = config;
  const adapter = kind.create({ name, baseUrl, settings }, openHttp);
  return closeAfterRuns({
    capabilities: (upstreamModel) => adapter.capabilities(upstreamModel),
    run: (job, context) => adapter.run(job, context),
    listModels: (context) => adapter.listModels(context),
    close: async () => {
      await adapter.close();
      await Promise.all(opened.map((http) => http.close()));
    },
  });
}

/** Most adapters close what they opened; those that cannot, or failed to, leave it to the pool. */
function closedOnce(http: GuardedHttp): GuardedHttp {
  let closed: Promise<void> | null = null;
  return {
    ...http,
    close: () => {
      closed ??= http.close();
      return closed;
    },
  };
}

function checkBaseUrl({ kind, baseUrl: need }: AdapterKind, { baseUrl }: UpstreamConfig): void {
  if (need === 'needed' && baseUrl === null) {
    throw invalidRequest('base_url', `An upstream of kind ${kind} needs a base URL.`);
  }
  if (need === 'unused' && baseUrl !== null) {
    throw invalidRequest('base_url', `An upstream of kind ${kind} takes no base URL.`);
  }
}
