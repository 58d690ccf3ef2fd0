import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addStudio, studioModel } from '../../../test/support/upstreams/studio.ts';
import { findModel, listModels, listPrices } from '../../catalog/model-store.ts';
import { listSelections, listUpstreamModels } from '../../catalog/selection-store.ts';
import { selectionOptionsDefault } from '../../catalog/upstream.ts';
import type { Database } from '../../db/db.ts';
import { addUpstream } from '../upstreams/add-upstream.ts';
import { syncUpstreamModels } from '../upstreams/sync-upstream-models.ts';
import { changeModels } from './change-models.ts';
import { editModel } from './edit-model.ts';
import { setEnabledOfModel } from './enable-model.ts';
import { mapUpstreamModel } from './map-upstream-model.ts';
import { selectUpstreamModel, unselectUpstreamModel } from './select-upstream-model.ts';
import { setPrice } from './set-price.ts';

const modelId = 'gen-image-2';
const other = 'gen-image-2.5-flare';

forEachEngine((engine) => {
  describe('of several models, a change of one', () => {
    it('leaves the price of the others, what is said of them, and whether they are offered', async () => {
      const admin = testAdmin(await engine.open());
      await setPrice(admin, { modelId: other, price: amount('0.01') });
      await setEnabledOfModel(admin, { modelId: other, enabled: true });
      const before = await othersThan(admin, modelId);
      await setPrice(admin, { modelId, price: amount('0.04') });
      await setEnabledOfModel(admin, { modelId, enabled: true });
      await editModel(admin, { modelId, patch: { description: 'Ours', extendedQualities: true } });
      await setEnabledOfModel(admin, { modelId, enabled: false });
      expect(await othersThan(admin, modelId)).toEqual(before);
      expect(await listPrices(admin.database, other, 9)).toMatchObject([
        { modelId: other, seq: 1, amount: 10_000 },
      ]);
    });
  });

  describe('a price of several models', () => {
    it.each([
      ['0', 'A price must be greater than zero.'],
      ['-0.01', 'A price must be greater than zero.'],
      ['900719925.4741', 'A price must be at most 900719925.474099.'],
    ])('is not %s, as of one', async (text, message) => {
      const admin = testAdmin(await engine.open());
      const action = { kind: 'set_price', price: amount(text) } as const;
      const change = changeModels(admin, { modelIds: [modelId, other], action });
      await expect(change).rejects.toMatchObject({ code: 'invalid_request_error', message });
    });

    it('counts the models that did not have it, and one that is named twice once', async () => {
      const admin = testAdmin(await engine.open());
      await setPrice(admin, { modelId: other, price: amount('0.000001') });
      const action = { kind: 'set_price', price: amount('0.000001') } as const;
      const modelIds = [modelId, other, modelId];
      expect(await changeModels(admin, { modelIds, action })).toBe(1);
      expect(await findModel(admin.database, modelId)).toMatchObject({ price: 1 });
      await expect(changeModels(admin, { modelIds: [], action })).rejects.toThrow('Name 1 to');
    });
  });

  describe('of several selections, a change of one', () => {
    it('leaves those of another model, another upstream and another entry of its list', async () => {
      const { admin, nameOf } = await openSelections();
      await mapUpstreamModel(admin, studioModel, { strictMask: true, extra: { steps: 20 } });
      expect(await selectionsOf(admin.database, nameOf)).toEqual([
        'gen-image-2 atelier paint-1',
        'gen-image-2 studio paint-1 {"strictMask":true,"extra":{"steps":20}}',
        'gen-image-2 studio paint-2',
        'gen-image-2.5-flare atelier paint-1',
        'gen-image-2.5-flare studio paint-1',
      ]);
      await unselectUpstreamModel(admin, studioModel);
      expect(await selectionsOf(admin.database, nameOf)).toEqual([
        'gen-image-2 atelier paint-1',
        'gen-image-2 studio paint-2',
        'gen-image-2.5-flare atelier paint-1',
        'gen-image-2.5-flare studio paint-1',
      ]);
    });

    it('keeps what was said of one that is selected once more', async () => {
      const { admin } = await openSelections();
      await mapUpstreamModel(admin, studioModel, { strictMask: true });
      expect(await selectUpstreamModel(admin, studioModel)).toMatchObject({
        result: { options: { strictMask: true } },
        gained: [],
      });
    });

    it('says of one upstream alone that its list has an entry no longer', async () => {
      const { admin, service, nameOf } = await openSelections();
      service.lists('paint-2');
      admin.clock.advance(1_000);
      const { result } = await syncUpstreamModels(admin, service.access, 'studio');
      expect(result).toMatchObject({ added: [], gone: ['paint-1'] });
      const listed = await listUpstreamModels(admin.database, { upstreamId: null });
      expect(
        listed
          .filter(({ goneAt }) => goneAt !== null)
          .map(({ upstreamId, upstreamModel }) => `${nameOf.get(upstreamId)} ${upstreamModel}`),
      ).toEqual(['studio paint-1']);
      const again = selectUpstreamModel(admin, {
        ...studioModel,
        modelId: 'gen-image-2.5-sunburst',
      });
      await expect(again).rejects.toThrow('paint-1 is not on the model list of studio');
    });
  });

  /** Two upstreams with the same list, of which most entries serve two models. */
  async function openSelections() {
    const { admin, service } = await addStudio(await engine.open());
    service.lists('paint-1', 'paint-2');
    const studio = await syncUpstreamModels(admin, service.access, 'studio');
    const atelier = await addUpstream(admin, service.access, {
      name: 'atelier',
      kind: studio.result.upstream.kind,
      baseUrl: 'https://images.example/v1',
      credential: 'hunter2-of-atelier',
      settings: {},
      priority: 1,
      weight: 1,
    });
    await syncUpstreamModels(admin, service.access, 'atelier');
    for (const upstream of ['studio', 'atelier']) {
      for (const id of [modelId, other]) {
        await selectUpstreamModel(admin, { ...studioModel, modelId: id, upstream });
      }
    }
    await selectUpstreamModel(admin, { ...studioModel, upstreamModel: 'paint-2' });
    const nameOf = new Map([studio.result.upstream, atelier].map(({ id, name }) => [id, name]));
    return { admin, service, nameOf };
  }
});

async function othersThan({ database }: TestAdmin, id: string) {
  return (await listModels(database)).filter((model) => model.id !== id);
}

/** Each in one line, with what is said of it. */
async function selectionsOf(database: Database, nameOf: ReadonlyMap<string, string>) {
  const selections = await listSelections(database);
  return selections
    .map(({ modelId, upstreamId, upstreamModel, options }) => {
      const isPlain = isDeepStrictEqual(options, selectionOptionsDefault);
      const said = isPlain ? '' : ` ${JSON.stringify(options)}`;
      return `${modelId} ${nameOf.get(upstreamId)} ${upstreamModel}${said}`;
    })
    .sort();
}
