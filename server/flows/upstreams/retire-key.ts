import { updateUpstreamKey } from '../../catalog/upstream-key-store.ts';
import { findUpstream, updateUpstream } from '../../catalog/upstream-store.ts';
import type { Database, Trx } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Admin } from '../admin-change.ts';
import { changeServing, type ServingChange } from '../models/serving-change.ts';
import { lockUpstream } from './lock-upstream.ts';

/** A key that its upstream refused again and again. */
export interface DeadKey {
  upstreamId: string;
  keyId: string;
  /** Its credential, as it was stored then. */
  sealedCredential: string;
  fault: 'auth' | 'quota';
}

export type Retired = 'nothing' | 'key' | 'upstream';

/**
 * Disables a key that does not work any more, and with its last key the upstream: every request
 * would be tried there first and fail. Says why in both rows. Does nothing where another process, or
 * an administrator, was faster.
 */
export function retireKey(
  admin: Admin,
  { upstreamId, keyId, sealedCredential, fault }: DeadKey,
): Promise<ServingChange<Retired>> {
  return changeServing(admin, async (trx) => {
    if (!(await findUpstream(trx, upstreamId))) return nothing;
    // Two processes that retire the last two keys at once must not both see the other's.
    const { upstream, keys } = await lockUpstream(trx, upstreamId);
    const key = keys.find(({ id }) => id === keyId);
    // A credential that was replaced meanwhile is not the one that was refused.
    if (!key?.enabled || key.sealedCredential !== sealedCredential) return nothing;
    await updateUpstreamKey(trx, keyId, { enabled: false, disabledReason: fault });
    const isLast = !keys.some(({ id, enabled }) => enabled && id !== keyId);
    if (isLast) await disable(trx, upstreamId, fault);
    return {
      result: isLast ? ('upstream' as const) : ('key' as const),
      entry: {
        action: isLast ? 'upstream.retire' : 'upstream.retire_key',
        subject: upstreamId,
        detail: { name: upstream.name, key: key.name, fault },
        topic: 'catalog' as const,
      },
    };
  });
}

async function disable(trx: Trx, upstreamId: string, fault: DeadKey['fault']): Promise<void> {
  await updateUpstream(trx, upstreamId, { enabled: false, disabledReason: fault });
}

const nothing = { result: 'nothing' as const, entry: null };

interface Named {
  id: string;
  name: string;
}

/** As `retireKey`, in the background of a request that must not wait for it. The log has the names. */
export function retireKeySoon(
  { database, clock, log }: { database: Database; clock: Clock; log: Logger },
  {
    upstream,
    key,
    fault,
  }: { upstream: Named; key: Named & Pick<DeadKey, 'sealedCredential'>; fault: DeadKey['fault'] },
): void {
  const named = {
    upstream: upstream.name,
    upstream_key: key.name,
    upstream_id: upstream.id,
    upstream_key_id: key.id,
    fault,
  };
  const { id: keyId, sealedCredential } = key;
  const dead = { upstreamId: upstream.id, keyId, sealedCredential, fault };
  retireKey({ database, clock, actor: 'system', reason: null }, dead).then(
    ({ result, lost }) => {
      if (result === 'nothing') return;
      log.error(
        { ...named, models_lost: lost },
        result === 'upstream' ? 'upstream was disabled' : 'upstream key was disabled',
      );
    },
    (error: unknown) => log.error({ ...named, err: error }, 'upstream key could not be disabled'),
  );
}
