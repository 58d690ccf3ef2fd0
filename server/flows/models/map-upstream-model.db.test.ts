import { describe, expect, it } from 'vitest';
import type { TestAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addStudio, studioModel } from '../../../test/support/upstreams/studio.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { CatalogCache } from '../../catalog/catalog-cache.ts';
import { extraCharactersMax } from '../../catalog/selection-extra.ts';
import { listSelections } from '../../catalog/selection-store.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { type MappingPatch, mapUpstreamModel } from './map-upstream-model.ts';
import { unselectUpstreamModel } from './select-upstream-model.ts';

forEachEngine((engine) => {
  describe('mapping an upstream model', () => {
    it('selects it if it was not', async () => {
      const { admin } = await open();
      await unselectUpstreamModel(admin, studioModel);
      expect(await map(admin, { strictMask: true })).toMatchObject({
        result: { options: { strictMask: true, extra: {} } },
        gained: [studioModel.modelId],
      });
      expect(await optionsOf(admin)).toEqual([{ strictMask: true, extra: {} }]);
    });

    it('changes what is named and keeps the rest', async () => {
      const { admin } = await open();
      await map(admin, { strictMask: true, extra: { steps: 20, style: { name: 'ink' } } });
      await map(admin, { extra: { steps: 30 } });
      await map(admin, { strictMask: false });
      expect(await optionsOf(admin)).toEqual([
        { strictMask: false, extra: { steps: 30, style: { name: 'ink' } } },
      ]);
    });

    it('forgets the fields there were when told to', async () => {
      const { admin } = await open();
      await map(admin, { extra: { steps: 20, seed: 7 } });
      await map(admin, { clearExtra: true, extra: { seed: 8 } });
      expect(await optionsOf(admin)).toEqual([{ strictMask: false, extra: { seed: 8 } }]);
      await map(admin, { clearExtra: true });
      expect(await optionsOf(admin)).toEqual([{ strictMask: false, extra: {} }]);
    });

    it('changes the fields that are named, beside those that others change meanwhile', async () => {
      const { admin } = await open();
      await map(admin, { strictMask: true, extra: { steps: 20, 'a.b': 1, seed: 7 } });
      await Promise.all([
        map(admin, { extraChanges: [{ path: ['steps'], value: null }] }),
        map(admin, { extraChanges: [{ path: ['a.b'], value: 2 }, { path: ['seed'] }] }),
      ]);
      expect(await optionsOf(admin)).toEqual([
        { strictMask: true, extra: { steps: null, 'a.b': 2 } },
      ]);
    });

    it('does not know what is meant by all fields and by some', async () => {
      const { admin } = await open();
      const patch = { extra: {}, clearExtra: true, extraChanges: [] };
      await expect(map(admin, patch)).rejects.toThrow('not both');
    });

    it('does not select again what somebody else has taken back, where it is not to', async () => {
      const { admin } = await open();
      await unselectUpstreamModel(admin, studioModel);
      await expect(map(admin, { strictMask: true, onlyIfSelected: true })).rejects.toThrow(
        'paint-1 of studio is not selected for',
      );
      expect(await optionsOf(admin)).toEqual([]);
    });

    it('reaches the routes of the model', async () => {
      const { admin } = await open();
      await map(admin, { strictMask: true, extra: { steps: 20 } });
      const cache = new CatalogCache(admin.database, new SecretBox(Buffer.alloc(32, 7)));
      const [route] = (await cache.current()).routesOf(studioModel.modelId);
      cache.close();
      expect(route?.options).toEqual({ strictMask: true, extra: { steps: 20 } });
    });

    it('is in the audit, without the values, which may be secrets', async () => {
      const { admin } = await open();
      await map(admin, { extra: { user: 'hunter2' } });
      const [entry] = await entriesOf(admin);
      expect(entry).toMatchObject({
        action: 'model.map_upstream',
        subject: studioModel.modelId,
        detail: { upstream_model: 'paint-1', strict_mask: false, extra: ['user'] },
      });
      expect(JSON.stringify(entry)).not.toContain('hunter2');
    });

    it('writes nothing when it is mapped so already', async () => {
      const { admin } = await open();
      await map(admin, { extra: { steps: 20 } });
      const before = (await entriesOf(admin)).length;
      await map(admin, { extra: { steps: 20 } });
      expect(await entriesOf(admin)).toHaveLength(before);
    });

    it('loses no field when two are added at the same time', async () => {
      const { admin } = await open();
      await Promise.all([map(admin, { extra: { a: 1 } }), map(admin, { extra: { b: 2 } })]);
      const [options] = await optionsOf(admin);
      expect(options?.extra).toEqual({ a: 1, b: 2 });
    });

    it('refuses what is not on the model list', async () => {
      const { admin } = await open();
      const wanted = { ...studioModel, upstreamModel: 'paint-2' };
      await expect(mapUpstreamModel(admin, wanted, { strictMask: true })).rejects.toThrow(
        'did you mean paint-1?',
      );
    });

    it.each(['model', 'prompt', 'image', 'images', 'image[]', 'mask', 'n', 'stream', 'Prompt'])(
      'refuses an extra %s, which comes from the request',
      async (name) => {
        const { admin } = await open();
        const extraChanges = [{ path: [name], value: 'x' }];
        await expect(map(admin, { extraChanges })).rejects.toThrow('An extra field cannot be');
        await expect(map(admin, { extra: { [name]: 'x' } })).rejects.toThrow(
          `An extra field cannot be ${name}: model, prompt, image, images, mask, n, stream are set by Tintype from the request.`,
        );
        expect(await optionsOf(admin)).toEqual([{ strictMask: false, extra: {} }]);
      },
    );

    it('counts the fields there are against the size', async () => {
      const { admin } = await open();
      const around = JSON.stringify({ a: '', b: '' }).length;
      await map(admin, { extra: { a: 'x'.repeat(extraCharactersMax - around - 1) } });
      await map(admin, { extra: { b: 'x' } });
      await expect(map(admin, { extra: { b: 'xx' } })).rejects.toThrow('at most 10000 characters');
    });
  });

  async function open() {
    return addStudio(await engine.open());
  }
});

function map(admin: TestAdmin, patch: MappingPatch) {
  return mapUpstreamModel(admin, studioModel, patch);
}

async function optionsOf({ database }: TestAdmin) {
  return (await listSelections(database)).map(({ options }) => options);
}

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 20 })).items;
}
