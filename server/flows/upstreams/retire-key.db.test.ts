import { expect, it } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { listingKind, listingUpstream } from '../../../test/support/upstreams/listing-upstream.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import type { UpstreamKey } from '../../catalog/upstream.ts';
import { insertUpstreamKey, listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import { must } from '../../lib/assert.ts';
import { selectUpstreamModel } from '../models/select-upstream-model.ts';
import { addUpstream } from './add-upstream.ts';
import { type DeadKey, retireKey } from './retire-key.ts';
import { syncUpstreamModels } from './sync-upstream-models.ts';

const modelId = 'gen-image-2';

forEachEngine((engine) => {
  it('disables a key that is refused, says why, and leaves the others to work', async () => {
    const { admin, upstream, main } = await open({ spare: true });
    const dead = refused(main, 'auth');
    expect(await retireKey(admin, dead)).toMatchObject({ result: 'key', lost: [] });
    const keys = await listUpstreamKeys(admin.database, { upstreamId: upstream.id });
    expect(keys).toMatchObject([
      { name: 'main', enabled: false, disabledReason: 'auth' },
      { name: 'spare', enabled: true, disabledReason: null },
    ]);
    expect(await requireUpstream(admin.database, upstream.id)).toMatchObject({ enabled: true });
    expect(await lastEntry(admin)).toMatchObject({
      action: 'upstream.retire_key',
      detail: { name: 'studio', key: 'main', fault: 'auth' },
    });
  });

  it('disables the upstream with its last key, and says which models it leaves without', async () => {
    const { admin, upstream, main } = await open({ spare: false });
    const dead = refused(main, 'quota');
    expect(await retireKey(admin, dead)).toMatchObject({ result: 'upstream', lost: [modelId] });
    expect(await requireUpstream(admin.database, upstream.id)).toMatchObject({
      enabled: false,
      disabledReason: 'quota',
    });
    expect(await lastEntry(admin)).toMatchObject({
      action: 'upstream.retire',
      detail: { models_lost: [modelId] },
    });
  });

  it('does nothing where somebody was faster', async () => {
    const { admin, main } = await open({ spare: true });
    const dead = refused(main, 'auth');
    await retireKey(admin, dead);
    const before = await lastEntry(admin);
    expect(await retireKey(admin, dead)).toMatchObject({ result: 'nothing' });
    expect(await retireKey(admin, { ...dead, keyId: 'upk_gone' })).toMatchObject({
      result: 'nothing',
    });
    expect(await retireKey(admin, { ...dead, upstreamId: 'up_gone' })).toMatchObject({
      result: 'nothing',
    });
    expect(await lastEntry(admin)).toEqual(before);
  });

  function refused({ id, upstreamId, sealedCredential }: UpstreamKey, fault: DeadKey['fault']) {
    return { upstreamId, keyId: id, sealedCredential, fault };
  }

  async function open({ spare }: { spare: boolean }) {
    const admin = testAdmin(await engine.open());
    const service = listingUpstream();
    const upstream = await addUpstream(admin, service.access, {
      name: 'studio',
      kind: listingKind,
      baseUrl: 'https://images.example/v1',
      credential: 'the credential',
      settings: {},
      priority: 0,
      weight: 1,
    });
    service.lists('paint-1');
    admin.clock.advance(1);
    await syncUpstreamModels(admin, service.access, 'studio');
    await selectUpstreamModel(admin, { modelId, upstream: 'studio', upstreamModel: 'paint-1' });
    const [main] = await listUpstreamKeys(admin.database, { upstreamId: upstream.id });
    const key = must(main, 'the first key');
    const other: UpstreamKey = { ...key, id: 'upk_spare', name: 'spare' };
    if (spare) await admin.database.transaction((trx) => insertUpstreamKey(trx, other));
    admin.clock.advance(1);
    return { admin, upstream, main: key };
  }

  async function lastEntry({ database }: ReturnType<typeof testAdmin>) {
    return (await listAuditEntries(database, {}, { after: null, limit: 1 })).items[0];
  }
});
