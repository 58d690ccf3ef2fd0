import {
  checkRank,
  parseBaseUrl,
  parseUpstreamName,
  type Upstream,
  type UpstreamSettings,
} from '../catalog/upstream.ts';
import { requireUpstream, updateUpstream } from '../catalog/upstream-store.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { type Admin, adminChange } from './admin-change.ts';
import { checkUpstreamConfig, openCredential, type UpstreamAccess } from './ask-upstream.ts';

/** What is not named stays as it is. */
export interface UpstreamPatch {
  name?: string;
  baseUrl?: string | null;
  credential?: string | null;
  /** Takes the place of all settings. */
  settings?: UpstreamSettings;
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
    const changes = parsePatch(patch, (credential) => secretBox.seal(credential, before.id));
    const after: Upstream = { ...before, ...changes };
    checkRank(after);
    refuseMovedCredential(before, after, patch);
    const detail = changesOf(before, after);
    if (Object.keys(detail).length === 0) return { result: before, entry: null };
    await checkUpstreamConfig(kinds, after.kind, {
      ...after,
      credential: openCredential(after, secretBox),
    });
    await updateUpstream(trx, before.id, changes);
    return {
      result: after,
      entry: { action: 'upstream.edit', subject: before.id, detail, topic: 'catalog' },
    };
  });
}

function parsePatch(
  { name, baseUrl, credential, ...rest }: UpstreamPatch,
  seal: (credential: string) => string,
): Partial<Upstream> {
  return {
    ...rest,
    ...(name !== undefined && { name: parseUpstreamName(name) }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl === null ? null : parseBaseUrl(baseUrl) }),
    ...(credential !== undefined && {
      sealedCredential: credential === null ? null : seal(credential),
    }),
  };
}

/** Nobody can read a stored credential; sending it to a host of one's own would be a way to. */
function refuseMovedCredential(before: Upstream, after: Upstream, patch: UpstreamPatch): void {
  if (before.sealedCredential === null || patch.credential !== undefined) return;
  if (originOf(before.baseUrl) === originOf(after.baseUrl)) return;
  throw invalidRequest(
    'credential',
    'The base URL now names another host: give the credential again, so that none is sent to a host it was not meant for.',
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
  const settings = changedSettings(before.settings, after.settings);
  return {
    ...Object.fromEntries(plain),
    // Of what may be secret, only that it changed.
    ...(before.sealedCredential !== after.sealedCredential && {
      credential: after.sealedCredential === null ? 'removed' : 'replaced',
    }),
    ...(settings.length > 0 && { settings }),
  };
}

function changedSettings(before: UpstreamSettings, after: UpstreamSettings): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
