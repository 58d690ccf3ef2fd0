import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import { amount, testAccess, testAdmin } from '../../test/support/test-admin.ts';
import { heardOf } from '../../test/support/watched-database.ts';
import { editUpstream } from '../flows/edit-upstream.ts';
import { setEnabledOfModel } from '../flows/enable-model.ts';
import { setPrice } from '../flows/set-price.ts';
import { setUpSandbox } from '../flows/set-up-sandbox.ts';
import { SecretBox } from '../lib/secret-box.ts';
import { CatalogCache } from './catalog-cache.ts';

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

  it('opens credentials, and says which do not open with its key', async () => {
    const { admin, cache, database } = await open();
    await setUpSandbox(admin, testAccess());
    const patch = { credential: 'the credential' };
    await editUpstream(admin, testAccess(), { upstream: 'sandbox', patch });
    expect((await cache.current()).upstreams).toMatchObject([{ credential: 'the credential' }]);
    const otherKey = new CatalogCache(database, new SecretBox(Buffer.alloc(32, 9)));
    const catalog = await otherKey.current();
    expect(catalog.upstreams).toEqual([]);
    expect(catalog.unusable).toMatchObject([{ name: 'sandbox' }]);
    expect(catalog.isAvailable(modelId)).toBe(false);
  });

  it('does not open a credential that was moved to another row', async () => {
    const { admin, cache, database } = await open();
    await setUpSandbox(admin, testAccess());
    const patch = { credential: 'the credential' };
    const { id } = await editUpstream(admin, testAccess(), { upstream: 'sandbox', patch });
    const sealed = testAccess().secretBox.seal('of another', 'up_other');
    await heardOf(database, 'catalog', async () => {
      await database.transaction((trx) =>
        trx.kysely
          .updateTable('upstreams')
          .set({ credential: sealed })
          .where('id', '=', id)
          .execute(),
      );
      await setPrice(admin, { modelId, price: amount('0.5') });
    });
    expect((await cache.current()).unusable[0]?.reason).toContain('belongs to another row');
  });

  async function open() {
    const database = await engine.open();
    const cache = new CatalogCache(database, testAccess().secretBox);
    return { admin: testAdmin(database), cache, database };
  }
});
