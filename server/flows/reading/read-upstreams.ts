import { type CatalogRecords, hasUsableKeys } from '../../catalog/catalog.ts';
import { readCatalogRecords } from '../../catalog/catalog-cache.ts';
import { listUpstreamModels } from '../../catalog/selection-store.ts';
import type { Selection, Upstream, UpstreamKey, UpstreamModel } from '../../catalog/upstream.ts';
import { listUpstreamChecks, type UpstreamCheck } from '../../catalog/upstream-check-store.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import type { Db } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import type { LanePool } from '../../upstreams/lane-pool.ts';
import { type AttemptStats, readAttemptStats } from '../../usage/attempt-stats.ts';

export interface UpstreamOverview {
  upstream: Upstream;
  keys: readonly UpstreamKey[];
  selections: readonly Selection[];
  health: UpstreamHealth;
  /** The last check that was made to its end; null before the first. */
  check: UpstreamCheck | null;
  /** In this process; null when it never called the upstream. */
  lane: { breaker: 'closed' | 'open' | 'half_open'; running: number; waiting: number } | null;
  /** Of the last 24 hours; null when it was not called. */
  stats: AttemptStats | null;
}

/**
 * `disabled` by an administrator, `retired` by the service itself, `idle` for want of an enabled key,
 * `failing` by its last check or what this process saw, `unknown` before anything was seen.
 */
export const upstreamHealths = [
  'disabled',
  'retired',
  'idle',
  'failing',
  'healthy',
  'unknown',
] as const;
export type UpstreamHealth = (typeof upstreamHealths)[number];

const attemptStatsMs = 24 * 3_600_000;

/** What a process knows of the upstreams it calls. */
export type UpstreamLanes = Pick<LanePool, 'stateOf'>;

interface Sources {
  lanes: UpstreamLanes;
  nowMs: number;
}

/** In the order in which they are tried. */
export async function readUpstreams(
  db: Db,
  sources: Sources,
): Promise<readonly UpstreamOverview[]> {
  return overviewsOf(db, await readCatalogRecords(db), sources);
}

export interface UpstreamDetail extends UpstreamOverview {
  models: readonly UpstreamModel[];
  /** Models with a price that are enabled, by ID. */
  priced: ReadonlySet<string>;
}

/** @param idOrName of the upstream */
export async function readUpstream(
  db: Db,
  idOrName: string,
  sources: Sources,
): Promise<UpstreamDetail> {
  const { id } = await requireUpstream(db, idOrName);
  const records = await readCatalogRecords(db);
  const upstreams = records.upstreams.filter((upstream) => upstream.id === id);
  const [overview] = await overviewsOf(db, { ...records, upstreams }, sources);
  return {
    ...must(overview, 'an upstream that is there is listed'),
    models: await listUpstreamModels(db, { upstreamId: id }),
    priced: new Set(
      records.models
        .filter(({ price, enabled }) => price !== null && enabled)
        .map(({ id: model }) => model),
    ),
  };
}

async function overviewsOf(
  db: Db,
  records: CatalogRecords,
  { lanes, nowMs }: Sources,
): Promise<readonly UpstreamOverview[]> {
  const checks = await listUpstreamChecks(db, { upstreamId: null });
  const stats = await readAttemptStats(db, { fromMs: nowMs - attemptStatsMs, toMs: nowMs });
  return records.upstreams.map((upstream) => {
    const { id } = upstream;
    const keys = records.upstreamKeys.filter(({ upstreamId }) => upstreamId === id);
    const seen = {
      check: checks.find(({ upstreamId }) => upstreamId === id) ?? null,
      lane: lanes.stateOf(id),
      stats: stats.get(upstream.name) ?? null,
    };
    const selections = records.selections.filter(({ upstreamId }) => upstreamId === id);
    return { upstream, keys, selections, health: healthOf(upstream, keys, seen), ...seen };
  });
}

export function healthOf(
  { enabled, disabledReason }: Pick<Upstream, 'enabled' | 'disabledReason'>,
  keys: readonly UpstreamKey[],
  { check, lane, stats }: Pick<UpstreamOverview, 'check' | 'lane' | 'stats'>,
): UpstreamHealth {
  if (!enabled) return disabledReason === null ? 'disabled' : 'retired';
  if (!hasUsableKeys(keys)) return 'idle';
  // On trial it is still one that failed several times in a row, and nothing has shown since that it works.
  const isLeftAlone = lane !== null && lane.breaker !== 'closed';
  if ((check !== null && check.fault !== null) || isLeftAlone) return 'failing';
  if (check !== null || (stats !== null && stats.attempts > stats.failed)) return 'healthy';
  return stats === null ? 'unknown' : 'failing';
}

/** It should make pictures, and does not. */
export function isUnwell(health: UpstreamHealth): boolean {
  return health === 'failing' || health === 'retired' || health === 'idle';
}
