import {
  checkRank,
  parseBaseUrl,
  parseUpstreamName,
  type Upstream,
  type UpstreamSettings,
} from '../catalog/upstream.ts';
import { insertUpstream, listUpstreams } from '../catalog/upstream-store.ts';
import type { Db } from '../db/db.ts';
import { makeId } from '../lib/ids.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { type Admin, adminChange } from './admin-change.ts';
import { checkUpstreamConfig, openCredential, type UpstreamAccess } from './ask-upstream.ts';

export interface NewUpstream {
  name: string;
  kind: string;
  baseUrl: string | null;
  credential: string | null;
  settings: UpstreamSettings;
  priority: number;
  weight: number;
}

/** Adds an upstream, enabled. Its model list is empty until it is fetched. */
export async function addUpstream(
  admin: Admin,
  { kinds, secretBox }: UpstreamAccess,
  wanted: NewUpstream,
): Promise<Upstream> {
  const { kind, credential, settings, priority, weight } = wanted;
  const name = parseUpstreamName(wanted.name);
  const baseUrl = wanted.baseUrl === null ? null : parseBaseUrl(wanted.baseUrl);
  checkRank(wanted);
  await checkUpstreamConfig(kinds, kind, { name, baseUrl, credential, settings });
  return adminChange(admin, async (trx, nowMs) => {
    if (credential !== null) await refuseSecondKey(trx, secretBox);
    const id = makeId('up', nowMs);
    const upstream: Upstream = {
      id,
      name,
      kind,
      baseUrl,
      sealedCredential: credential === null ? null : secretBox.seal(credential, id),
      settings,
      enabled: true,
      priority,
      weight,
      createdAt: nowMs,
    };
    await insertUpstream(trx, upstream);
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
          // Their values may be secrets.
          settings: Object.keys(settings),
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
  for (const upstream of await listUpstreams(db)) openCredential(upstream, secretBox);
}
