import { describe, expect, it } from 'vitest';
import type { TestAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import type { ListingUpstream } from '../../../test/support/upstreams/listing-upstream.ts';
import { addStudio, addStudioKey, studioModel } from '../../../test/support/upstreams/studio.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { findUpstream } from '../../catalog/upstream-store.ts';
import { removeUpstreamKey, setEnabledOfUpstreamKey } from './change-upstream-keys.ts';
import { setEnabledOfUpstream } from './enable-upstream.ts';
import { retireKey } from './retire-key.ts';

const { modelId } = studioModel;

forEachEngine((engine) => {
  describe('enabling and disabling an upstream', () => {
    it('says which models it leaves without one, and which get it back', async () => {
      const { admin, service } = await open();
      expect(await enable(admin, service, false)).toMatchObject({ lost: [modelId] });
      expect(await enable(admin, service, false)).toMatchObject({ lost: [] });
      expect(await enable(admin, service, true)).toMatchObject({ gained: [modelId] });
    });

    it.each([true, false])(
      'takes the place of what the service decided (enabled: %s)',
      async (enabled) => {
        const { admin, service } = await open();
        await retireAll(admin);
        const change = await enable(admin, service, enabled);
        expect(change.result).toMatchObject({ enabled, disabledReason: null });
        expect(await findUpstream(admin.database, 'studio')).toMatchObject({
          enabled,
          disabledReason: null,
        });
      },
    );

    it('brings back the keys with which the service disabled it', async () => {
      const { admin, service } = await open();
      await addStudioKey(admin, service, 'ours');
      const disable = { upstream: 'studio', name: 'ours', enabled: false };
      await setEnabledOfUpstreamKey(admin, disable);
      await retireAll(admin);
      expect(await enable(admin, service, true)).toMatchObject({ gained: [modelId] });
      const keys = await listUpstreamKeys(admin.database, { upstreamId: null });
      expect(keys).toMatchObject([
        { name: 'main', enabled: true, disabledReason: null },
        { name: 'ours', enabled: false, disabledReason: null },
      ]);
      expect((await entriesOf(admin))[0]).toMatchObject({
        action: 'upstream.enable',
        detail: { keys: ['main'] },
      });
    });

    it('leaves a key disabled that the service disabled while others work', async () => {
      const { admin, service } = await open();
      await retireAll(admin);
      await addStudioKey(admin, service, 'spare');
      await enable(admin, service, true);
      const keys = await listUpstreamKeys(admin.database, { upstreamId: null });
      expect(keys.map(({ name, enabled }) => [name, enabled])).toEqual([
        ['main', false],
        ['spare', true],
      ]);
    });

    it('refuses to enable one without the key it needs', async () => {
      const { admin, service } = await open();
      await enable(admin, service, false);
      await removeUpstreamKey(admin, service.access, { upstream: 'studio', name: 'main' });
      await expect(enable(admin, service, true)).rejects.toThrow('needs a credential');
      await addStudioKey(admin, service, 'new');
      expect((await enable(admin, service, true)).result.enabled).toBe(true);
    });
  });

  async function open() {
    return addStudio(await engine.open());
  }
});

function enable(admin: TestAdmin, { access }: ListingUpstream, enabled: boolean) {
  return setEnabledOfUpstream(admin, access, { upstream: 'studio', enabled });
}

/** What the service does when the upstream refuses its enabled keys again and again. */
async function retireAll(admin: TestAdmin): Promise<void> {
  const keys = await listUpstreamKeys(admin.database, { upstreamId: null });
  for (const { id: keyId, upstreamId, sealedCredential } of keys.filter((key) => key.enabled)) {
    await retireKey(admin, { upstreamId, keyId, sealedCredential, fault: 'auth' });
  }
}

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 20 })).items;
}
