import type { Upstream } from '../catalog/upstream.ts';
import { requireUpstream, updateUpstream } from '../catalog/upstream-store.ts';
import type { Admin } from './admin-change.ts';
import { changeServing, type ServingChange } from './serving-change.ts';

/** Lets an upstream serve, or keeps it out. @param upstream ID or name */
export function setEnabledOfUpstream(
  admin: Admin,
  { upstream, enabled }: { upstream: string; enabled: boolean },
): Promise<ServingChange<Upstream>> {
  return changeServing(admin, async (trx) => {
    const before = await requireUpstream(trx, upstream);
    if (before.enabled === enabled) return { result: before, entry: null };
    await updateUpstream(trx, before.id, { enabled });
    return {
      result: { ...before, enabled },
      entry: {
        action: enabled ? 'upstream.enable' : 'upstream.disable',
        subject: before.id,
        detail: { name: before.name },
        topic: 'catalog',
      },
    };
  });
}
