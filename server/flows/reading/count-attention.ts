import { listModels } from '../../catalog/model-store.ts';
import { listUpstreamChecks } from '../../catalog/upstream-check-store.ts';
import { listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { listUpstreams } from '../../catalog/upstream-store.ts';
import type { Db } from '../../db/db.ts';
import { countProblems } from '../../payments/payment-store.ts';
import { healthOf, isUnwell, type UpstreamLanes } from './read-upstreams.ts';

/** What waits for an administrator, by the page where it is seen to. */
export interface AttentionCounts {
  /** Without a price. */
  models: number;
  /** That should make pictures, and do not. */
  upstreams: number;
  /** With a problem that nobody has seen to. */
  payments: number;
}

/** Every page asks for it, so that nothing is read here that grows with the requests, or with the lists of upstreams. */
export async function countAttention(db: Db, lanes: UpstreamLanes): Promise<AttentionCounts> {
  const models = await listModels(db);
  const upstreams = await listUpstreams(db);
  const upstreamKeys = await listUpstreamKeys(db, { upstreamId: null });
  const checks = await listUpstreamChecks(db, { upstreamId: null });
  const unwell = upstreams.filter((upstream) => {
    const { id } = upstream;
    const keys = upstreamKeys.filter(({ upstreamId }) => upstreamId === id);
    const check = checks.find(({ upstreamId }) => upstreamId === id) ?? null;
    return isUnwell(healthOf(upstream, keys, { check, lane: lanes.stateOf(id), stats: null }));
  });
  return {
    models: models.filter(({ price }) => price === null).length,
    upstreams: unwell.length,
    payments: await countProblems(db),
  };
}
