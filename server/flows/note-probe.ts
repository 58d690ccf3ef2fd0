import { type Admin, adminChange } from './admin-change.ts';
import type { AskedUpstream } from './ask-upstream.ts';

/** Remembers who made an upstream work for money, whatever comes of it. */
export function noteProbe(
  admin: Admin,
  { upstream, key, upstreamModel }: AskedUpstream & { upstreamModel: string },
): Promise<void> {
  return adminChange(admin, async () => ({
    result: undefined,
    entry: {
      action: 'upstream.probe',
      subject: upstream.id,
      detail: { name: upstream.name, upstream_model: upstreamModel, key: key?.name ?? null },
      topic: null,
    },
  }));
}
