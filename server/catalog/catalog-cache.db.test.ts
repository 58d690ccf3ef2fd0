import { expect, it } from 'vitest';
import {
  amount,
  type TestAdmin,
  testAccess,
  testAdmin,
} from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { heardOf } from '../../test/support/databases/watched-database.ts';
import { bumpRevision } from '../db/revisions.ts';
import { setUpSandbox } from '../flows/installation/set-up-sandbox.ts';
import { setEnabledOfModel } from '../flows/models/enable-model.ts';
import { setPrice } from '../flows/models/set-price.ts';
import { editUpstream } from '../flows/upstreams/edit-upstream.ts';
import { setEnabledOfUpstream } from '../flows/upstreams/enable-upstream.ts';
import { SecretBox } from '../lib/secret-box.ts';
import type { UnusableUpstream } from './catalog.ts';
import { CatalogCache } from './catalog-cache.ts';
import { upstreamLimitsDefault } from './upstream.ts';
import { insertUpstreamKey } from './upstream-key-store.ts';
import { requireUpstream } from './upstream-store.ts';

const modelId = 'gen-image-2';

forEachEngine((engine) => {
  it('knows the specified models from the start, and none is available', async () => {
    const { cache } = await open();
    const catalog = await cache.current();
    expect(catalog.models.map(({ id }) => id)).toEqual([
      'gen-image-2.5-sunburst',
      'gen-image-2.5-flare',
      'gen-image-2',
    ]);
    expect(catalog.models.some(({ id }) => catalog.isAvailable(id))).toBe(false);
  });

  it('follows what an administrator changes', async () => {
    const { admin, cache } = await open();
    await setUpSandbox(admin, testAccess());
    expect((await cache.current()).isAvailable(modelId)).toBe(true);
    await setPrice(admin, { modelId, price: amount('0.5') });
    expect((await cache.current()).model(modelId)?.price).toBe(500_000);
    await setEnabledOfModel(admin, { modelId, enabled: false });
    expect((await cache.current()).isAvailable(modelId)).toBe(false);
  });

  it('follows what another process changes', async () => {
    const { admin, cache, database } = await open();
    await setUpSandbox(admin, testAccess());
    expect((await cache.current()).isAvailable(modelId)).toBe(true);
    const elsewhere = { ...admin, database: engine.openAgain(database) };
    await heardOf(database, 'catalog', () =>
      setEnabledOfModel(elsewhere, { modelId, enabled: false }),
    );
    expect((await cache.current()).isAvailable(modelId)).toBe(false);
  });

  it('lets an upstream begin anew also with the configuration that it had before', async () => {
    const { admin, cache } = await open();
    await setUpSandbox(admin, testAccess());
    const look = async () => (await cache.current()).upstreams[0];
    const first = await look();
    for (const queueMax of [7, upstreamLimitsDefault.queueMax]) {
      const patch = { limits: { queueMax } };
      await editUpstream(admin, testAccess(), { upstream: 'sandbox', patch });
    }
    const last = await look();
    expect(last?.limits).toEqual(first?.limits);
    expect(last?.revision).not.toBe(first?.revision);
  });

  it('opens credentials, and says which do not open with its key', async () => {
    const { admin, cache, database } = await open();
    await setUpSandbox(admin, testAccess());
    await giveKey(admin, { sealedFor: null });
    expect((await cache.current()).upstreams).toMatchObject([
      { keys: [{ name: 'main', credential: 'the credential' }] },
    ]);
    const otherKey = new CatalogCache(database, new SecretBox(Buffer.alloc(32, 9)));
    const catalog = await otherKey.current();
    expect(catalog.upstreams).toEqual([]);
    expect(catalog.unusable).toMatchObject([{ name: 'sandbox' }]);
    expect(catalog.isAvailable(modelId)).toBe(false);
  });

  it('tells once what cannot be used, and again when it comes back', async () => {
    const { admin, database } = await open();
    await setUpSandbox(admin, testAccess());
    await giveKey(admin, { sealedFor: null });
    const told: UnusableUpstream[] = [];
    const box = new SecretBox(Buffer.alloc(32, 9));
    const cache = new CatalogCache(database, box, {
      onUnusable: (unusable) => told.push(unusable),
    });
    await cache.current();
    expect(told).toMatchObject([{ name: 'sandbox', key: null }]);
    expect(told[0]?.reason).toContain('the key main does not open: it was sealed with another');
    await readAnewAfter(() => setEnabledOfModel(admin, { modelId, enabled: false }));
    expect(told).toHaveLength(1);
    const access = testAccess();
    const enable = (enabled: boolean) =>
      setEnabledOfUpstream(admin, access, { upstream: 'sandbox', enabled });
    await readAnewAfter(() => enable(false));
    await readAnewAfter(() => enable(true));
    expect(told).toHaveLength(2);

    async function readAnewAfter(change: () => Promise<unknown>) {
      await heardOf(database, 'catalog', change);
      await cache.current();
    }
  });

  it('does not open a credential that was moved to another row', async () => {
    const { admin, cache, database } = await open();
    await setUpSandbox(admin, testAccess());
    await heardOf(database, 'catalog', () => giveKey(admin, { sealedFor: 'up_other' }));
    expect((await cache.current()).unusable[0]?.reason).toContain('belongs to another row');
  });

  /** The sandbox takes no key, so none of the flows would give it one. */
  async function giveKey(admin: TestAdmin, { sealedFor }: { sealedFor: string | null }) {
    await admin.database.transaction(async (trx) => {
      const { id } = await requireUpstream(trx, 'sandbox');
      const sealedCredential = testAccess().secretBox.seal('the credential', sealedFor ?? id);
      const key = { id: 'upk_1', upstreamId: id, name: 'main', enabled: true, createdAt: 1 };
      await insertUpstreamKey(trx, {
        ...key,
        sealedCredential,
        disabledReason: null,
        lastFour: null,
        enabledTimes: 0,
      });
      await bumpRevision(trx, 'catalog');
    });
  }

  async function open() {
    const database = await engine.open();
    const cache = new CatalogCache(database, testAccess().secretBox);
    return { admin: testAdmin(database), cache, database };
  }
});
