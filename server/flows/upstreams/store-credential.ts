import type { UpstreamKey } from '../../catalog/upstream.ts';
import { lastFourOf } from '../../catalog/upstream-key.ts';
import { insertUpstreamKey, updateUpstreamKey } from '../../catalog/upstream-key-store.ts';
import type { Trx } from '../../db/db.ts';
import { makeId } from '../../lib/ids.ts';
import type { SecretBox } from '../../lib/secret-box.ts';

export interface NewCredential {
  upstreamId: string;
  name: string;
  credential: string;
  nowMs: number;
}

/** Stores a credential as another key of its upstream, enabled. */
export async function storeNewKey(
  trx: Trx,
  secretBox: SecretBox,
  { upstreamId, name, credential, nowMs }: NewCredential,
): Promise<UpstreamKey> {
  const key: UpstreamKey = {
    id: makeId('upk', nowMs),
    upstreamId,
    name,
    // For the upstream's row, so that a proxy, a key and the key that takes its place are one case.
    sealedCredential: secretBox.seal(credential, upstreamId),
    enabled: true,
    disabledReason: null,
    enabledTimes: 0,
    lastFour: lastFourOf(credential),
    createdAt: nowMs,
  };
  await insertUpstreamKey(trx, key);
  return key;
}

/**
 * Stores a credential in the place of a key's. What the service disabled the key for was the fault of
 * the old one; what an administrator disabled stays so.
 */
export async function storeReplacement(
  trx: Trx,
  secretBox: SecretBox,
  { key, credential }: { key: UpstreamKey; credential: string },
): Promise<UpstreamKey> {
  const changes = {
    sealedCredential: secretBox.seal(credential, key.upstreamId),
    lastFour: lastFourOf(credential),
    ...(key.disabledReason !== null && { enabled: true, disabledReason: null }),
  };
  await updateUpstreamKey(trx, key.id, changes);
  return { ...key, ...changes };
}
