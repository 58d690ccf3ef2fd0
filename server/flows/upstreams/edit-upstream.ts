import { isDeepStrictEqual } from 'node:util';
import type { FieldChange } from '../../../shared/console/field-change.ts';
import {
  checkRank,
  checkSettingsSize,
  parseBaseUrl,
  parseProxy,
  parseUpstreamLimits,
  parseUpstreamName,
  presentUpstreamLimits,
  type Upstream,
  type UpstreamKey,
  type UpstreamLimits,
  type UpstreamSettings,
} from '../../catalog/upstream.ts';
import { firstKeyName, parseCredential } from '../../catalog/upstream-key.ts';
import { updateUpstream } from '../../catalog/upstream-store.ts';
import type { Trx } from '../../db/db.ts';
import { withChanges } from '../../lib/field-changes.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import type { Admin } from '../admin-change.ts';
import { changedFields } from '../changed-fields.ts';
import { changeServing, type ServingChange } from '../models/serving-change.ts';
import { refuseSecondKey } from '../stored-secrets.ts';
import { checkUpstreamConfig, openProxy, type UpstreamAccess } from './ask-upstream.ts';
import { refuseUnusedKey } from './key-need.ts';
import { type LockedUpstream, lockUpstream } from './lock-upstream.ts';
import { storeNewKey, storeReplacement } from './store-credential.ts';

/** What is not named stays as it is. */
export interface UpstreamPatch {
  name?: string;
  baseUrl?: string | null;
  /**
   * For an upstream with one key, or with one called `main`: takes the place of that key's. For one
   * without keys: becomes its first. All else about keys is in `change-upstream-keys.ts`.
   */
  credential?: string;
  /** Takes the place of all settings. */
  settings?: UpstreamSettings;
  /** In place of `settings`: made to the settings as they are by then. */
  settingsChanges?: readonly FieldChange[];
  /** Only those that are named change. */
  limits?: Partial<UpstreamLimits>;
  proxy?: string | null;
  priority?: number;
  weight?: number;
}

/** @param upstream ID or name */
export async function editUpstream(
  admin: Admin,
  { kinds, secretBox }: UpstreamAccess,
  { upstream, patch }: { upstream: string; patch: UpstreamPatch },
): Promise<ServingChange<Upstream>> {
  const { credential: givenCredential, ...givenPatch } = patch;
  const credential = givenCredential === undefined ? null : parseCredential(givenCredential);
  return changeServing(admin, async (trx, nowMs) => {
    const { upstream: before, keys } = await lockUpstream(trx, upstream);
    const replaced = credential === null ? null : replacedKey({ upstream: before, keys });
    if (credential !== null || givenPatch.proxy) await refuseSecondKey(trx, secretBox);
    const seal = (secret: string) => secretBox.seal(secret, before.id);
    const changes = withoutSame(before, parsePatch(givenPatch, before, seal));
    const after: Upstream = { ...before, ...changes };
    checkRank(after);
    checkSettingsSize(after.settings);
    refuseMovedKeys({
      before,
      after,
      keys: keys.filter((key) => key !== replaced),
      isGiven: credential !== null,
    });
    const changed = changesOf(before, after);
    if (credential !== null) {
      refuseUnusedKey(kinds, before.kind);
      changed['credential'] = replaced === null ? 'set' : 'replaced';
    }
    if (Object.keys(changed).length === 0) return { result: before, entry: null };
    await checkUpstreamConfig(kinds, { ...after, proxy: openProxy(after, secretBox) });
    if (Object.keys(changes).length > 0) await updateUpstream(trx, before.id, changes);
    if (credential !== null) {
      const given = { upstreamId: before.id, key: replaced, credential, nowMs };
      await storeCredential(trx, secretBox, given);
    }
    return {
      result: after,
      entry: {
        action: 'upstream.edit',
        subject: before.id,
        detail: { name: before.name, ...changed },
        topic: 'catalog',
      },
    };
  });
}

/** Null where there is no key yet. */
function replacedKey({ upstream, keys }: LockedUpstream): UpstreamKey | null {
  const key = keys.length === 1 ? keys[0] : keys.find(({ name }) => name === firstKeyName);
  if (key) return key;
  if (keys.length === 0) return null;
  throw invalidRequest(
    'credential',
    `${upstream.name} has ${keys.length} keys and none is called ${firstKeyName}: replace the one that you mean.`,
    { command: `tintype upstreams keys replace ${upstream.name} <key> --credential-file <file>` },
  );
}

interface GivenCredential {
  upstreamId: string;
  /** The one to replace. */
  key: UpstreamKey | null;
  credential: string;
  nowMs: number;
}

async function storeCredential(
  trx: Trx,
  secretBox: SecretBox,
  { key, ...given }: GivenCredential,
): Promise<void> {
  if (key === null) await storeNewKey(trx, secretBox, { ...given, name: firstKeyName });
  else await storeReplacement(trx, secretBox, { key, credential: given.credential });
}

function parsePatch(
  { name, baseUrl, limits, proxy, settingsChanges, ...rest }: Omit<UpstreamPatch, 'credential'>,
  before: Upstream,
  seal: (secret: string) => string,
): Partial<Upstream> {
  const newProxy = parseProxy(proxy ?? null);
  if (settingsChanges && rest.settings) {
    throw invalidRequest('settings_changes', 'Give settings or settings_changes, not both.');
  }
  return {
    ...rest,
    ...(settingsChanges && {
      settings: withChanges(before.settings, settingsChanges, 'settings'),
    }),
    ...(name !== undefined && { name: parseUpstreamName(name) }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl === null ? null : parseBaseUrl(baseUrl) }),
    ...(limits !== undefined && { limits: parseUpstreamLimits({ ...before.limits, ...limits }) }),
    ...(proxy !== undefined && { sealedProxy: newProxy === null ? null : seal(newProxy) }),
  };
}

/** What is given as it is already is no change: by one, an upstream begins anew. */
function withoutSame(before: Upstream, given: Partial<Upstream>): Partial<Upstream> {
  const known = new Map<string, unknown>(Object.entries(before));
  const other = Object.entries(given).filter(
    ([name, value]) => !isDeepStrictEqual(value, known.get(name)),
  );
  return Object.fromEntries(other);
}

interface Move {
  before: Upstream;
  after: Upstream;
  /** Those that would come along. */
  keys: readonly UpstreamKey[];
  /** Whether a credential was given with the change; its key is not among `keys`. */
  isGiven: boolean;
}

/** Nobody can read a stored credential; sending it to a host of one's own would be a way to. */
function refuseMovedKeys(move: Move): void {
  const { before, after, keys } = move;
  if (keys.length === 0) return;
  const names = keys.map(({ name }) => name).join(', ');
  const isMoved =
    originOf(before.baseUrl) !== originOf(after.baseUrl) ||
    originsIn(after.settings).some((origin) => !originsIn(before.settings).includes(origin));
  if (isMoved) {
    throw invalidRequest(
      'base_url',
      `This would send credentials of ${before.name} (${names}) to a host that they were not meant for: ${mendOf(move)}.`,
      { command: commandOf(move) },
    );
  }
  const isOverheard =
    after.sealedProxy !== null &&
    after.sealedProxy !== before.sealedProxy &&
    originOf(after.baseUrl)?.startsWith('http:') === true;
  if (!isOverheard) return;
  throw invalidRequest(
    'proxy',
    `${after.baseUrl} is http, without encryption, so the proxy could read credentials of ${before.name} (${names}): ` +
      `use a base URL with https, or ${mendOf(move)}.`,
    { command: commandOf(move) },
  );
}

function mendOf({ keys, isGiven }: Move): string {
  if (isGiven) return `first remove ${keys.length === 1 ? 'this key' : 'these keys'}`;
  const give = 'give its credential again with the same change';
  if (keys.length === 1) return `${give}, or first remove the key`;
  return `first remove all its keys, or all but one and then ${give}`;
}

function commandOf({ before, keys, isGiven }: Move): string {
  const removals = keys.map(({ name }) => `tintype upstreams keys remove ${before.name} ${name}`);
  return [...(isGiven ? [] : ['--credential-file <file>']), ...removals].join('; ');
}

function originOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).origin;
}

/**
 * Some kinds have a second address among their settings, such as the one that issues tokens. A blank before it does not
 * keep it from being one.
 */
function originsIn(settings: UpstreamSettings): readonly string[] {
  return Object.values(settings).flatMap((value) => {
    const url = typeof value === 'string' ? URL.parse(value) : null;
    return url && ['http:', 'https:'].includes(url.protocol) ? [url.origin] : [];
  });
}

function changesOf(before: Upstream, after: Upstream): Record<string, unknown> {
  const settings = changedNames(before.settings, after.settings);
  const limits = changedNames({ ...before.limits }, { ...after.limits });
  return {
    ...changedFields(plainFieldsOf(before), plainFieldsOf(after)),
    // Of what may be secret, only that it changed.
    ...(before.sealedProxy !== after.sealedProxy && {
      proxy: after.sealedProxy === null ? 'removed' : 'replaced',
    }),
    ...(settings.length > 0 && { settings }),
    ...(limits.length > 0 && { limits: presentUpstreamLimits(after.limits) }),
  };
}

/** Those whose values may be told. */
function plainFieldsOf({ name, baseUrl, priority, weight }: Upstream) {
  return { name, base_url: baseUrl, priority, weight };
}

function changedNames(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
