import type { Upstream, UpstreamKey } from '../../catalog/upstream.ts';
import { listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { lockUpstreams, requireUpstream } from '../../catalog/upstream-store.ts';
import type { Trx } from '../../db/db.ts';

export interface LockedUpstream {
  upstream: Upstream;
  keys: readonly UpstreamKey[];
}

/**
 * Locks an upstream and its keys, and answers with both: they stay so until the transaction ends.
 *
 * @param idOrName of the upstream
 */
export async function lockUpstream(trx: Trx, idOrName: string): Promise<LockedUpstream> {
  const { id } = await requireUpstream(trx, idOrName);
  await lockUpstreams(trx, id);
  return {
    // Again: it may have changed while this transaction waited.
    upstream: await requireUpstream(trx, id),
    keys: await listUpstreamKeys(trx, { upstreamId: id }),
  };
}
