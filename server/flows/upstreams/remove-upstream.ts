import type { Upstream } from '../../catalog/upstream.ts';
import { deleteUpstream, requireUpstream } from '../../catalog/upstream-store.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { type Admin, adminChange } from '../admin-change.ts';

/** Deletes an upstream with its credential, model list and selections. Only a disabled one. */
export function removeUpstream(admin: Admin, upstream: string): Promise<Upstream> {
  return adminChange(admin, async (trx) => {
    const found = await requireUpstream(trx, upstream);
    if (found.enabled) {
      throw invalidRequest('upstream', `${found.name} is enabled. First disable it.`, {
        command: `tintype upstreams disable ${found.name}`,
      });
    }
    await deleteUpstream(trx, found.id);
    return {
      result: found,
      entry: {
        action: 'upstream.remove',
        subject: found.id,
        detail: { name: found.name, kind: found.kind, base_url: found.baseUrl },
        topic: 'catalog',
      },
    };
  });
}
