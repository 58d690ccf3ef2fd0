/** What is changed of models is in the audit, and whoever serves them reads the catalog anew. */
import { beforeEach, expect, it } from 'vitest';
import { amount, type TestAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addStudio, studioModel } from '../../../test/support/upstreams/studio.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { CatalogCache } from '../../catalog/catalog-cache.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { addModel } from './add-model.ts';
import { editModel } from './edit-model.ts';
import { setEnabledOfModel } from './enable-model.ts';
import { mapUpstreamModel } from './map-upstream-model.ts';
import { selectUpstreamModel, unselectUpstreamModel } from './select-upstream-model.ts';
import { previewPrice, setPrice } from './set-price.ts';

const { modelId } = studioModel;

forEachEngine((engine) => {
  let admin: TestAdmin;
  let cache: CatalogCache;

  beforeEach(async () => {
    ({ admin } = await addStudio(await engine.open()));
    cache = new CatalogCache(admin.database, new SecretBox(Buffer.alloc(32, 7)));
    return () => cache.close();
  });

  /** The entry that a change made, where the catalog was read anew; null where there is neither. */
  const toldOf = async (change: () => Promise<unknown>) => {
    const latest = async () => {
      const page = { after: null, limit: 1 };
      return (await listAuditEntries(admin.database, {}, page)).items[0];
    };
    const [catalog, entry] = [await cache.current(), await latest()];
    admin.clock.advance(1);
    await change();
    const made = await latest();
    expect((await cache.current()) !== catalog).toBe(made?.id !== entry?.id);
    return made?.id === entry?.id ? null : { [made?.action ?? '']: made?.detail };
  };

  it('of a model', async () => {
    const said = { description: 'Ours', extendedQualities: true };
    expect(await toldOf(() => addModel(admin, { id: 'ours', ...said }))).toEqual({
      'model.add': { description: 'Ours', extended_qualities: true },
    });
    const edit = (patch: Parameters<typeof editModel>[1]['patch']) =>
      toldOf(() => editModel(admin, { modelId: 'ours', patch }));
    expect(await edit({ extendedQualities: false })).toEqual({
      'model.edit': { extended_qualities: { from: true, to: false } },
    });
    expect(await edit({ description: 'Ours', extendedQualities: false })).toBeNull();
    expect(await edit({ position: 0 })).toEqual({ 'model.edit': { position: { from: 3, to: 0 } } });
    expect(await edit({ position: 99 })).toEqual({
      'model.edit': { position: { from: 0, to: 3 } },
    });
    expect(await edit({ position: 3 })).toBeNull();
    for (const position of [-1, 0.5]) {
      await expect(edit({ position })).rejects.toThrow('A position must be a whole number from 0.');
    }
  });

  it('of its price, and whether it is offered', async () => {
    const price = amount('0.04');
    const first = { modelId, from: null, to: price, percent: null };
    expect(await previewPrice(admin.database, { modelId, price })).toEqual(first);
    const free = previewPrice(admin.database, { modelId, price: amount('0') });
    await expect(free).rejects.toThrow('A price must be greater than zero.');
    const set = () => toldOf(() => setPrice(admin, { modelId, price }));
    expect(await set()).toEqual({ 'model.set_price': { price: { from: null, to: '0.04' } } });
    expect(await set()).toBeNull();
    const enable = (enabled: boolean) =>
      toldOf(() => setEnabledOfModel(admin, { modelId, enabled }));
    expect(await enable(true)).toEqual({ 'model.enable': {} });
    expect(await enable(true)).toBeNull();
    expect(await enable(false)).toEqual({ 'model.disable': {} });
    expect(await enable(false)).toBeNull();
  });

  it('of what serves it', async () => {
    const names = expect.objectContaining({ upstream: 'studio', upstream_model: 'paint-1' });
    const map = () => toldOf(() => mapUpstreamModel(admin, studioModel, { strictMask: true }));
    expect(await map()).toEqual({ 'model.map_upstream': names });
    expect(await map()).toBeNull();
    const select = () => toldOf(() => selectUpstreamModel(admin, studioModel));
    expect(await select()).toBeNull();
    const unselect = () => toldOf(() => unselectUpstreamModel(admin, studioModel));
    expect(await unselect()).toEqual({ 'model.unselect_upstream': names });
    expect(await select()).toEqual({ 'model.select_upstream': names });
  });
});
