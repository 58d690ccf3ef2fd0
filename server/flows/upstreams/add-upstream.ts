import {
  checkRank,
  checkSettingsSize,
  parseBaseUrl,
  parseProxy,
  parseUpstreamLimits,
  parseUpstreamName,
  presentUpstreamLimits,
  type Upstream,
  type UpstreamLimits,
  type UpstreamSettings,
} from '../../catalog/upstream.ts';
import { firstKeyName, parseCredential } from '../../catalog/upstream-key.ts';
import { insertUpstream } from '../../catalog/upstream-store.ts';
import { makeId } from '../../lib/ids.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { refuseSecondKey } from '../stored-secrets.ts';
import { checkUpstreamConfig, type UpstreamAccess } from './ask-upstream.ts';
import { refuseMissingKey, refuseUnusedKey } from './key-need.ts';
import { storeNewKey } from './store-credential.ts';

export interface NewUpstream {
  name: string;
  kind: string;
  baseUrl: string | null;
  /** Of its first key, which will be called `main`; null for none. */
  credential: string | null;
  settings: UpstreamSettings;
  /** What is not named has its default. */
  limits?: Partial<UpstreamLimits>;
  proxy?: string | null;
  priority: number;
  weight: number;
}

/** Adds an upstream, enabled. Its model list is empty until it is fetched. */
export async function addUpstream(
  admin: Admin,
  { kinds, secretBox }: UpstreamAccess,
  wanted: NewUpstream,
): Promise<Upstream> {
  const { kind, settings, priority, weight } = wanted;
  const name = parseUpstreamName(wanted.name);
  const baseUrl = wanted.baseUrl === null ? null : parseBaseUrl(wanted.baseUrl);
  const limits = parseUpstreamLimits(wanted.limits ?? {});
  const proxy = parseProxy(wanted.proxy ?? null);
  const credential = wanted.credential === null ? null : parseCredential(wanted.credential);
  checkRank(wanted);
  checkSettingsSize(settings);
  if (credential === null) refuseMissingKey(kinds, kind, '--credential-file <file>');
  else refuseUnusedKey(kinds, kind);
  await checkUpstreamConfig(kinds, { name, kind, baseUrl, settings, limits, proxy });
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
      begunTimes: 0,
      priority,
      weight,
      createdAt: nowMs,
    };
    await insertUpstream(trx, upstream);
    if (credential !== null) {
      const key = { upstreamId: id, name: firstKeyName, credential, nowMs };
      await storeNewKey(trx, secretBox, key);
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
          limits: presentUpstreamLimits(limits),
          priority,
          weight,
        },
        topic: 'catalog',
      },
    };
  });
}
