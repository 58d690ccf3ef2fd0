import {
  checkRank,
  parseBaseUrl,
  parseProxy,
  parseUpstreamLimits,
  parseUpstreamName,
  type Upstream,
  type UpstreamKey,
  type UpstreamLimits,
  type UpstreamSettings,
} from '../catalog/upstream.ts';
import { listUpstreamKeys } from '../catalog/upstream-key-store.ts';
import { requireUpstream, updateUpstream } from '../catalog/upstream-store.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { type Admin, adminChange } from './admin-change.ts';
import { checkUpstreamConfig, openProxy, type UpstreamAccess } from './ask-upstream.ts';

/** What is not named stays as it is. Its keys change elsewhere: `change-upstream-keys.ts`. */
export interface UpstreamPatch {
  name?: string;
  baseUrl?: string | null;
  /** Takes the place of all settings. */
  settings?: UpstreamSettings;
  /** Only those that are named change. */
  limits?: Partial<UpstreamLimits>;
  proxy?: string | null;
  priority?: number;
  weight?: number;
}

/** @param upstream ID or name */
export function editUpstream(
  admin: Admin,
  { kinds, secretBox }: UpstreamAccess,
  { upstream, patch }: { upstream: string; patch: UpstreamPatch },
): Promise<Upstream> {
  return adminChange(admin, async (trx) => {
    const before = await requireUpstream(trx, upstream);
    const keys = await listUpstreamKeys(trx, { upstreamId: before.id });
    const changes = parsePatch(patch, before, (secret) => secretBox.seal(secret, before.id));
    const after: Upstream = { ...before, ...changes };
    checkRank(after);
    refuseMovedKeys(before, after, keys);
    const detail = changesOf(before, after);
    if (Object.keys(detail).length === 0) return { result: before, entry: null };
    const proxy = openProxy(after, secretBox);
    await checkUpstreamConfig(kinds, { ...after, proxy, hasKey: keys.length > 0 });
    await updateUpstream(trx, before.id, changes);
    return {
      result: after,
      entry: { action: 'upstream.edit', subject: before.id, detail, topic: 'catalog' },
    };
  });
}

function parsePatch(
  { name, baseUrl, limits, proxy, ...rest }: UpstreamPatch,
  before: Upstream,
  seal: (secret: string) => string,
): Partial<Upstream> {
  const newProxy = parseProxy(proxy ?? null);
  return {
    ...rest,
    ...(name !== undefined && { name: parseUpstreamName(name) }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl === null ? null : parseBaseUrl(baseUrl) }),
    ...(limits !== undefined && { limits: parseUpstreamLimits({ ...before.limits, ...limits }) }),
    ...(proxy !== undefined && { sealedProxy: newProxy === null ? null : seal(newProxy) }),
  };
}

/** Nobody can read a stored credential; sending it to a host of one's own would be a way to. */
function refuseMovedKeys(before: Upstream, after: Upstream, keys: readonly UpstreamKey[]): void {
  if (keys.length === 0) return;
  const isMoved = originOf(before.baseUrl) !== originOf(after.baseUrl);
  // A proxy reads along where there is no encryption.
  const isOverheard =
    after.sealedProxy !== null &&
    after.sealedProxy !== before.sealedProxy &&
    after.baseUrl?.startsWith('http:') === true;
  if (!isMoved && !isOverheard) return;
  throw invalidRequest(
    'base_url',
    `This would send the keys of ${before.name} to a host that they were not meant for: remove them first, and enter them again afterwards.`,
  );
}

function originOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).origin;
}

function changesOf(before: Upstream, after: Upstream): Record<string, unknown> {
  const pairs = {
    name: { from: before.name, to: after.name },
    base_url: { from: before.baseUrl, to: after.baseUrl },
    priority: { from: before.priority, to: after.priority },
    weight: { from: before.weight, to: after.weight },
  };
  const plain = Object.entries(pairs).filter(([, { from, to }]) => from !== to);
  const settings = changedNames(before.settings, after.settings);
  const limits = changedNames({ ...before.limits }, { ...after.limits });
  return {
    ...Object.fromEntries(plain),
    // Of what may be secret, only that it changed.
    ...(before.sealedProxy !== after.sealedProxy && {
      proxy: after.sealedProxy === null ? 'removed' : 'replaced',
    }),
    ...(settings.length > 0 && { settings }),
    ...(limits.length > 0 && { limits: { ...after.limits } }),
  };
}

function changedNames(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
