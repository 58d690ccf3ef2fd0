import { describe, expect, it } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { multiplyAmount } from '../../../shared/money.ts';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { findModel, listModels, listPrices } from '../../catalog/model-store.ts';
import { addModel } from './add-model.ts';
import { editModel } from './edit-model.ts';
import { setEnabledOfModel } from './enable-model.ts';
import { setPrice } from './set-price.ts';

const modelId = 'gen-image-2';

forEachEngine((engine) => {
  describe('setting a price', () => {
    it('counts from now on and keeps the prices before', async () => {
      const admin = await open();
      await setPrice(admin, { modelId, price: amount('0.04') });
      admin.clock.advance(1_000);
      const model = await setPrice(admin, { modelId, price: amount('0.05') });
      expect(model.price).toBe(50_000);
      expect(await findModel(admin.database, modelId)).toEqual(model);
      expect(await listPrices(admin.database, modelId, 9)).toMatchObject([
        { seq: 2, amount: 50_000, createdAt: admin.clock.now(), actor: 'cli:test' },
        { seq: 1, amount: 40_000 },
      ]);
      expect(await lastEntry(admin)).toMatchObject({
        action: 'model.set_price',
        subject: modelId,
        detail: { price: { from: '0.04', to: '0.05' } },
      });
    });

    it('keeps no second entry for the price it has already', async () => {
      const admin = await open();
      await setPrice(admin, { modelId, price: amount('0.04') });
      await setPrice(admin, { modelId, price: amount('0.04') });
      expect(await listPrices(admin.database, modelId, 9)).toHaveLength(1);
    });

    it.each([
      ['0', 'A price must be greater than zero.'],
      ['-0.04', 'A price must be greater than zero.'],
      ['900719925.4741', 'A price must be at most 900719925.474099.'],
    ])('refuses %s', async (text, message) => {
      const admin = await open();
      await expect(setPrice(admin, { modelId, price: amount(text) })).rejects.toThrow(message);
    });

    it('is at most what the pictures of one request can still cost together', async () => {
      const admin = await open();
      const price = amount('900719925.474099');
      expect(await setPrice(admin, { modelId, price })).toMatchObject({ price });
      expect(multiplyAmount(price, imageLimits.picturesMax)).toBe(amount('9007199254.74099'));
    });

    it('numbers prices set side by side one after the other', async () => {
      const admin = await open();
      const prices = Array.from({ length: 8 }, (_, i) => amount(`0.0${i + 1}`));
      await Promise.all(prices.map((price) => setPrice(admin, { modelId, price })));
      const kept = await listPrices(admin.database, modelId, 9);
      expect(kept.map(({ seq }) => seq)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
      expect((await findModel(admin.database, modelId))?.price).toBe(kept[0]?.amount);
    });

    it('is set by one of two who were both shown the price before', async () => {
      const admin = await open();
      await setPrice(admin, { modelId, price: amount('0.04') });
      const confirmedFrom = amount('0.04');
      const settled = await Promise.allSettled(
        ['0.02', '0.20'].map((price) =>
          setPrice(admin, { modelId, price: amount(price), confirmedFrom }),
        ),
      );
      const refused = settled.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([
        { reason: { message: expect.stringContaining('was changed meanwhile') } },
      ]);
      expect(await listPrices(admin.database, modelId, 9)).toHaveLength(2);
    });

    it('says that there is no such model', async () => {
      const admin = await open();
      await expect(
        setPrice(admin, { modelId: 'gen-image-9', price: amount('1') }),
      ).rejects.toMatchObject({ code: 'not_found', message: 'There is no model gen-image-9.' });
    });
  });

  describe('enabling a model', () => {
    it('is refused without a price', async () => {
      const admin = await open();
      await expect(setEnabledOfModel(admin, { modelId, enabled: true })).rejects.toThrow(
        'gen-image-2 has no price. First set one.',
      );
      expect(await findModel(admin.database, modelId)).toMatchObject({ enabled: false });
      expect(await lastEntry(admin)).toBeUndefined();
    });

    it('offers it, and withdraws it again', async () => {
      const admin = await open();
      await setPrice(admin, { modelId, price: amount('0.04') });
      admin.clock.advance(1);
      expect(await setEnabledOfModel(admin, { modelId, enabled: true })).toMatchObject({
        enabled: true,
      });
      admin.clock.advance(1);
      await setEnabledOfModel(admin, { modelId, enabled: false });
      expect(await findModel(admin.database, modelId)).toMatchObject({ enabled: false });
      expect(await lastEntry(admin)).toMatchObject({ action: 'model.disable', subject: modelId });
    });
  });

  describe('editing a model', () => {
    it('leaves what another administrator changes at the same time', async () => {
      const admin = await open();
      await Promise.all([
        editModel(admin, { modelId, patch: { description: 'Ours' } }),
        editModel(admin, { modelId, patch: { extendedQualities: true } }),
      ]);
      const both = { description: 'Ours', extendedQualities: true };
      expect(await findModel(admin.database, modelId)).toMatchObject(both);
    });
  });

  describe('adding a model', () => {
    it('puts it behind the others, without a price', async () => {
      const admin = await open();
      const wanted = { id: 'house-style:1', description: ' Ours ', extendedQualities: true };
      expect(await addModel(admin, wanted)).toMatchObject({
        id: 'house-style:1',
        description: 'Ours',
        extendedQualities: true,
        price: null,
        enabled: false,
      });
      expect((await listModels(admin.database)).at(-1)?.id).toBe('house-style:1');
    });

    it.each([
      ['an ID that is taken', modelId, 'There is already a model gen-image-2.'],
      ['an ID with a blank', 'my model', 'A model ID has'],
      ['an empty ID', '', 'A model ID has'],
    ])('refuses %s', async (_what, id, message) => {
      const admin = await open();
      const change = addModel(admin, { id, description: '', extendedQualities: false });
      await expect(change).rejects.toThrow(message);
    });
  });

  async function open(): Promise<TestAdmin> {
    return testAdmin(await engine.open());
  }
});

async function lastEntry({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 1 })).items[0];
}
