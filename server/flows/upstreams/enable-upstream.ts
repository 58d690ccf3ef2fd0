import type { Upstream } from '../../catalog/upstream.ts';
import { updateUpstreamKey } from '../../catalog/upstream-key-store.ts';
import { updateUpstream } from '../../catalog/upstream-store.ts';
import type { Trx } from '../../db/db.ts';
import type { Admin } from '../admin-change.ts';
import { changeServing, type ServingChange } from '../models/serving-change.ts';
import type { UpstreamAccess } from './ask-upstream.ts';
import { refuseMissingKey } from './key-need.ts';
import { type LockedUpstream, lockUpstream } from './lock-upstream.ts';

/**
 * Enables or disables an upstream. An administrator's decision replaces the service's own: the reason for which the
 * service disabled the upstream is forgotten. Where none of its keys is enabled, enabling the upstream also enables
 * those that the service disabled.
 *
 * @param upstream ID or name
 */
export function setEnabledOfUpstream(
  admin: Admin,
  { kinds }: Pick<UpstreamAccess, 'kinds'>,
  { upstream, enabled }: { upstream: string; enabled: boolean },
): Promise<ServingChange<Upstream>> {
  return changeServing(admin, async (trx) => {
    const { upstream: before, keys } = await lockUpstream(trx, upstream);
    if (enabled && keys.length === 0) {
      const add = `tintype upstreams keys add ${before.name} <key> --credential-file <file>`;
      refuseMissingKey(kinds, before.kind, add);
    }
    const revived = enabled ? await reviveKeys(trx, keys) : [];
    const isSame = before.enabled === enabled && before.disabledReason === null;
    if (isSame && revived.length === 0) return { result: before, entry: null };
    const changes = { enabled, disabledReason: null };
    await updateUpstream(trx, before.id, changes);
    return {
      result: { ...before, ...changes },
      entry: {
        action: enabled ? 'upstream.enable' : 'upstream.disable',
        subject: before.id,
        detail: { name: before.name, ...(revived.length > 0 && { keys: revived }) },
        topic: 'catalog',
      },
    };
  });
}

/** Answers with the names of the keys that work again. */
async function reviveKeys(trx: Trx, keys: LockedUpstream['keys']): Promise<readonly string[]> {
  if (keys.some((key) => key.enabled)) return [];
  const dead = keys.filter((key) => key.disabledReason !== null);
  for (const { id } of dead) {
    await updateUpstreamKey(trx, id, { enabled: true, disabledReason: null });
  }
  return dead.map(({ name }) => name);
}
