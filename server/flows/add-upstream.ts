import {
  checkRank,
  parseBaseUrl,
  parseProxy,
  parseUpstreamLimits,
  parseUpstreamName,
  type Upstream,
  type UpstreamLimits,
  type UpstreamSettings,
} from '../catalog/upstream.ts';
import { insertUpstreamKey, listUpstreamKeys } from '../catalog/upstream-key-store.ts';
import { insertUpstream } from '../catalog/upstream-store.ts';
import type { Db } from '../db/db.ts';
import { makeId } from '../lib/ids.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { type Admin, adminChange } from './admin-change.ts';
import { checkUpstreamConfig, type UpstreamAccess } from './ask-upstream.ts';

export interface NewUpstream {
  name: string;
  kind: string;
  baseUrl: string | null;
  /** Its first key, which will be called `main`; null for none. */
  credential: string | null;
  settings: UpstreamSettings;
  /** What is not named has its default. */
  limits?: Partial<UpstreamLimits>;
  proxy?: string | null;
  priority: number;
  weight: number;
}

/** What the first key of an upstream is called. */
export const firstKeyName = 'main';

/** Adds an upstream, enabled. Its model list is empty until it is fetched. */
export async function addUpstream(
  admin: Admin,
  { kinds, secretBox }: UpstreamAccess,
  wanted: NewUpstream,
): Promise<Upstream> {
  const { kind, credential, settings, priority, weight } = wanted;
  const name = parseUpstreamName(wanted.name);
  const baseUrl = wanted.baseUrl === null ? null : parseBaseUrl(wanted.baseUrl);
  const limits = parseUpstreamLimits(wanted.limits ?? {});
  const proxy = parseProxy(wanted.proxy ?? null);
  checkRank(wanted);
  const config = { name, kind, baseUrl, settings, limits, proxy };
  await checkUpstreamConfig(kinds, { ...config, hasKey: credential !== null });
  return adminChange(admin, async (trx, nowMs) => {
    await refuseSecondKey(trx, secretBox);
    const id = makeId('up', nowMs);
    const upstream: Upstream = {
      id,
      name,
      kind,
      baseUrl,
      settings,
      limits,
      sealedProxy: proxy === null ? null : secretBox.seal(proxy, id),
      enabled: true,
      disabledReason: null,
      priority,
      weight,
      createdAt: nowMs,
    };
    await insertUpstream(trx, upstream);
    if (credential !== null) {
      await insertUpstreamKey(trx, {
        id: makeId('upk', nowMs),
        upstreamId: id,
        name: firstKeyName,
        sealedCredential: secretBox.seal(credential, id),
        enabled: true,
        disabledReason: null,
        createdAt: nowMs,
      });
    }
    return {
      result: upstream,
      entry: {
        action: 'upstream.add',
        subject: id,
        detail: {
          name,
          kind,
          base_url: baseUrl,
          credential: credential === null ? 'none' : 'set',
          proxy: proxy === null ? 'none' : 'set',
          // Their values may be secrets.
          settings: Object.keys(settings),
          limits: { ...wanted.limits },
          priority,
          weight,
        },
        topic: 'catalog',
      },
    };
  });
}

/** A command started with another data directory would seal with a key that the service lacks. */
async function refuseSecondKey(db: Db, secretBox: SecretBox): Promise<void> {
  for (const { sealedCredential, upstreamId } of await listUpstreamKeys(db, { upstreamId: null })) {
    secretBox.open(sealedCredential, upstreamId);
  }
}
