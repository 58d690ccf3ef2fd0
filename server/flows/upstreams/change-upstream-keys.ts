import type { Upstream, UpstreamKey } from '../../catalog/upstream.ts';
import {
  keysPerUpstreamMax,
  parseCredential,
  parseUpstreamKeyName,
} from '../../catalog/upstream-key.ts';
import { deleteUpstreamKey, updateUpstreamKey } from '../../catalog/upstream-key-store.ts';
import { nearest } from '../../lib/nearest.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import type { Admin, ChangeEntry } from '../admin-change.ts';
import { changeServing, type ServingChange } from '../models/serving-change.ts';
import { refuseSecondKey } from '../stored-secrets.ts';
import type { UpstreamAccess } from './ask-upstream.ts';
import { needsKey, refuseUnusedKey } from './key-need.ts';
import { type LockedUpstream, lockUpstream } from './lock-upstream.ts';
import { storeNewKey, storeReplacement } from './store-credential.ts';

export interface WantedKey {
  /** ID or name. */
  upstream: string;
  /** The key's. */
  name: string;
}

/** Gives an upstream one more key, enabled. */
export async function addUpstreamKey(
  admin: Admin,
  { kinds, secretBox }: UpstreamAccess,
  wanted: WantedKey & { credential: string },
): Promise<ServingChange<UpstreamKey>> {
  const name = parseUpstreamKeyName(wanted.name);
  const credential = parseCredential(wanted.credential);
  return changeServing(admin, async (trx, nowMs) => {
    const { upstream, keys } = await lockUpstream(trx, wanted.upstream);
    refuseUnusedKey(kinds, upstream.kind);
    refuseFull({ upstream, keys });
    await refuseSecondKey(trx, secretBox);
    const upstreamId = upstream.id;
    const key = await storeNewKey(trx, secretBox, { upstreamId, name, credential, nowMs });
    return { result: key, entry: entryOf('upstream.add_key', upstream, key) };
  });
}

export interface WantedReplacement extends WantedKey {
  credential: string;
  /**
   * Seals it with the secret key at hand although others, which cannot be opened any more, were
   * sealed with another.
   */
  masterKeyLost?: boolean;
}

/** Puts another credential in the place of a key's. */
export async function replaceUpstreamKey(
  admin: Admin,
  { kinds, secretBox }: UpstreamAccess,
  wanted: WantedReplacement,
): Promise<ServingChange<UpstreamKey>> {
  const credential = parseCredential(wanted.credential);
  return changeServing(admin, async (trx) => {
    const { upstream, keys } = await lockUpstream(trx, wanted.upstream);
    const before = requireKey({ upstream, keys }, wanted.name);
    refuseUnusedKey(kinds, upstream.kind);
    if (!wanted.masterKeyLost) await refuseSecondKey(trx, secretBox);
    const key = await storeReplacement(trx, secretBox, { key: before, credential });
    return { result: key, entry: entryOf('upstream.replace_key', upstream, key) };
  });
}

/** Deletes a key; the last one only where the upstream can do without. */
export function removeUpstreamKey(
  admin: Admin,
  { kinds }: Pick<UpstreamAccess, 'kinds'>,
  wanted: WantedKey,
): Promise<ServingChange<UpstreamKey>> {
  return changeServing(admin, async (trx) => {
    const { upstream, keys } = await lockUpstream(trx, wanted.upstream);
    const key = requireKey({ upstream, keys }, wanted.name);
    if (keys.length === 1 && upstream.enabled && needsKey(kinds, upstream.kind)) {
      throw invalidRequest(
        'name',
        `${key.name} is the only key of ${upstream.name}, which needs one: first add another, or disable the upstream.`,
        {
          command: `tintype upstreams keys add ${upstream.name} <key> --credential-file <file>; tintype upstreams disable ${upstream.name}`,
        },
      );
    }
    await deleteUpstreamKey(trx, key.id);
    return { result: key, entry: entryOf('upstream.remove_key', upstream, key) };
  });
}

/**
 * Lets calls be made with a key, or not. An administrator's word takes the place of the service's, so
 * the reason for which it disabled the key is forgotten either way.
 */
export function setEnabledOfUpstreamKey(
  admin: Admin,
  { enabled, ...wanted }: WantedKey & { enabled: boolean },
): Promise<ServingChange<UpstreamKey>> {
  return changeServing(admin, async (trx) => {
    const { upstream, keys } = await lockUpstream(trx, wanted.upstream);
    const before = requireKey({ upstream, keys }, wanted.name);
    if (before.enabled === enabled && before.disabledReason === null) {
      return { result: before, entry: null };
    }
    const changes = { enabled, disabledReason: null };
    await updateUpstreamKey(trx, before.id, changes);
    const action = enabled ? 'upstream.enable_key' : 'upstream.disable_key';
    return { result: { ...before, ...changes }, entry: entryOf(action, upstream, before) };
  });
}

function refuseFull({ upstream, keys }: LockedUpstream): void {
  if (keys.length < keysPerUpstreamMax) return;
  throw invalidRequest(
    'name',
    `${upstream.name} has ${keysPerUpstreamMax} keys, which is the most an upstream may have.`,
  );
}

export function requireKey({ upstream, keys }: LockedUpstream, name: string): UpstreamKey {
  const key = keys.find((one) => one.name === name);
  if (key) return key;
  const guess = nearest(
    name,
    keys.map((one) => one.name),
  );
  throw new ServiceError(
    'not_found',
    `${upstream.name} has no key ${name}${guess === null ? '.' : `; did you mean ${guess}?`}`,
    guess === null ? { command: `tintype upstreams keys list ${upstream.name}` } : {},
  );
}

function entryOf(action: string, upstream: Upstream, key: UpstreamKey): ChangeEntry {
  const detail = { name: upstream.name, key: key.name };
  return { action, subject: upstream.id, detail, topic: 'catalog' };
}
