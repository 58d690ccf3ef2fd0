/** An upstream `studio` that lists one model and serves `gen-image-2` with it, and its administrator. */

import { listUpstreamKeys } from '../../../server/catalog/upstream-key-store.ts';
import type { Database } from '../../../server/db/db.ts';
import type { Admin } from '../../../server/flows/admin-change.ts';
import { selectUpstreamModel } from '../../../server/flows/models/select-upstream-model.ts';
import { addUpstream } from '../../../server/flows/upstreams/add-upstream.ts';
import { addUpstreamKey } from '../../../server/flows/upstreams/change-upstream-keys.ts';
import { syncUpstreamModels } from '../../../server/flows/upstreams/sync-upstream-models.ts';
import { must } from '../../../server/lib/assert.ts';
import type { SecretBox } from '../../../server/lib/secret-box.ts';
import type { Need } from '../../../server/upstreams/adapter-kind.ts';
import { type TestAdmin, testAdmin } from '../console/test-admin.ts';
import { type ListingUpstream, listingKind, listingUpstream } from './listing-upstream.ts';

export const studioModel = { modelId: 'gen-image-2', upstream: 'studio', upstreamModel: 'paint-1' };

export interface Studio {
  admin: TestAdmin;
  service: ListingUpstream;
}

/** Its keys are called as `keys` says, its first one `main`. */
export async function addStudio(
  database: Database,
  { need = 'needed', keys = ['main'] }: { need?: Need; keys?: readonly string[] } = {},
): Promise<Studio> {
  const admin = testAdmin(database);
  const service = listingUpstream({ credential: need });
  const [first, ...others] = keys;
  await addUpstream(admin, service.access, {
    name: 'studio',
    kind: listingKind,
    baseUrl: 'https://images.example/v1',
    credential: first === undefined ? null : credentialNamed(first),
    settings: {},
    priority: 0,
    weight: 1,
  });
  for (const name of others) await addStudioKey(admin, service, name);
  service.lists(studioModel.upstreamModel);
  await syncUpstreamModels(admin, service.access, 'studio');
  await selectUpstreamModel(admin, studioModel);
  return { admin, service };
}

export function addStudioKey(admin: Admin, { access }: ListingUpstream, name: string) {
  const credential = credentialNamed(name);
  return addUpstreamKey(admin, access, { upstream: 'studio', name, credential });
}

/** The stored credential of a key, opened with `secretBox`. */
export async function storedCredential(
  { database }: Admin,
  secretBox: SecretBox,
  name: string,
): Promise<string> {
  const keys = await listUpstreamKeys(database, { upstreamId: null });
  const key = must(
    keys.find((one) => one.name === name),
    `the key ${name}`,
  );
  return secretBox.open(key.sealedCredential, key.upstreamId);
}

function credentialNamed(name: string): string {
  return `hunter2-of-${name}`;
}
