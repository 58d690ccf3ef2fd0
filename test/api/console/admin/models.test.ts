import { beforeAll, describe, expect, it } from 'vitest';
import { modelsAtOnceMax } from '../../../../server/flows/models/change-models.ts';
import {
  adminModelDetailSchema,
  adminModelSchema,
  adminModelsSchema,
  pricePreviewSchema,
} from '../../../../shared/console/admin-models.ts';
import { describeApi, outcomeOf, wrong } from '../../../support/callers/api.ts';
import { type AdminWorld, enterAsAdmin, sent } from '../../../support/console/admin-world.ts';

let models = 0;

describeApi((api) => {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await enterAsAdmin(api);
  });

  const add = async () => {
    const id = `page-model-${++models}`;
    await sent(world, 'POST', { path: '/admin/models', body: { id } });
    return id;
  };
  const ask = (method: string, path: string, body?: object) =>
    sent(world, method, { path, ...(body && { body }) });
  const modelAt = async (id: string) =>
    adminModelDetailSchema.parse((await ask('GET', `/admin/models/${id}`)).body);

  it('shows the two conditions apart, and which of them is missing', async () => {
    const id = await add();
    expect(await modelAt(id)).toMatchObject({
      is_priced: false,
      is_served: false,
      is_available: false,
      missing: 'price',
    });
    await ask('PUT', `/admin/models/${id}/price`, { price: '0.05' });
    expect(await modelAt(id)).toMatchObject({ is_priced: false, missing: 'enabled' });
    await ask('PUT', `/admin/models/${id}/enabled`, { enabled: true });
    expect(await modelAt(id)).toMatchObject({
      is_priced: true,
      is_served: false,
      missing: 'upstream',
      upstreams: { serving: 0, selected: 0 },
    });
    const body = { model: id, upstream_model: 'sandbox-quick', strict_mask: true };
    await ask('PUT', '/admin/upstreams/sandbox/mapping', body);
    expect(await modelAt(id)).toMatchObject({
      is_available: true,
      missing: null,
      upstreams: { serving: 1, selected: 1 },
      selections: [{ upstream: 'sandbox', upstream_model: 'sandbox-quick', strict_mask: true }],
    });
  });

  it('filters by state and counts all states whatever the filter', async () => {
    const id = await add();
    const { models: unpriced, counts } = adminModelsSchema.parse(
      (await ask('GET', '/admin/models?state=needs_price')).body,
    );
    expect(unpriced.map((model) => model.id)).toContain(id);
    expect(unpriced.every(({ price }) => price === null)).toBe(true);
    const all = adminModelsSchema.parse((await ask('GET', '/admin/models')).body);
    expect(all.counts).toEqual(counts);
    expect(all.counts).toMatchObject({ all: all.models.length, needs_price: unpriced.length });
  });

  describe('a price', () => {
    it('is agreed to with the old one and the percentage, and kept in a history', async () => {
      const id = await add();
      await ask('PUT', `/admin/models/${id}/price`, { price: '0.04' });
      const preview = await ask('GET', `/admin/price-preview?models=${id}&price=0.05`);
      expect(pricePreviewSchema.parse(preview.body).changes).toEqual([
        {
          model: id,
          from: { micros: 40_000, text: '0.04' },
          to: { micros: 50_000, text: '0.05' },
          percent: 25,
        },
      ]);
      await ask('PUT', `/admin/models/${id}/price`, { price: '0.05', confirmed_from: '0.04' });
      const { prices } = await modelAt(id);
      expect(prices).toMatchObject([
        { price: { text: '0.05' }, by: world.admin.id, by_email: world.admin.email },
        { price: { text: '0.04' } },
      ]);
    });

    it('is not set when it was changed since it was agreed to', async () => {
      const id = await add();
      await ask('PUT', `/admin/models/${id}/price`, { price: '0.04' });
      const body = { price: '0.05', confirmed_from: '0.03' };
      const answer = await world.visitor.ask('PUT', `/admin/models/${id}/price`, { body });
      expect(outcomeOf(answer)).toEqual(wrong('confirmed_from'));
      expect((await modelAt(id)).price?.text).toBe('0.04');
    });

    it.each(['0', '-1', '0.0000001', 'dear'])('is not %s', async (price) => {
      const path = `/admin/models/${await add()}/price`;
      expect(outcomeOf(await world.visitor.ask('PUT', path, { body: { price } }))).toEqual(
        wrong('price'),
      );
    });
  });

  describe('several models at once', () => {
    it('are priced together', async () => {
      const ids = [await add(), await add()];
      const action = { kind: 'set_price', price: '0.07' };
      const answer = await ask('POST', '/admin/models-action', { models: ids, action });
      expect(answer.body).toEqual({ changed: 2 });
      for (const id of ids) expect((await modelAt(id)).price?.text).toBe('0.07');
    });

    it('keep their prices where one is not what was shown before', async () => {
      const [first, second] = [await add(), await add()];
      await ask('PUT', `/admin/models/${second}/price`, { price: '0.04' });
      const priced = (from: string) => ({
        models: [first, second],
        action: {
          kind: 'set_price',
          price: '0.07',
          confirmed_from: { [first]: null, [second]: from },
        },
      });
      const refused = await world.visitor.post('/admin/models-action', priced('0.03'));
      expect(outcomeOf(refused)).toEqual(wrong('confirmed_from'));
      expect((await modelAt(first)).price).toBeNull();
      const answer = await ask('POST', '/admin/models-action', priced('0.04'));
      expect(answer.body).toEqual({ changed: 2 });
    });

    it('all stay as they are when one of them cannot be changed', async () => {
      const [priced, unpriced] = [await add(), await add()];
      await ask('PUT', `/admin/models/${priced}/price`, { price: '0.07' });
      const body = { models: [priced, unpriced], action: { kind: 'enable' } };
      const answer = await world.visitor.post('/admin/models-action', body);
      expect(outcomeOf(answer)).toEqual(wrong('model'));
      expect((await modelAt(priced)).enabled).toBe(false);
    });

    it(`are ${modelsAtOnceMax} at most`, async () => {
      const many = (count: number) => ({
        models: Array.from({ length: count }, (_, n) => `none-${n}`),
        action: { kind: 'disable' },
      });
      const most = await world.visitor.post('/admin/models-action', many(modelsAtOnceMax));
      expect(outcomeOf(most)).toMatchObject({ status: 404 });
      const more = await world.visitor.post('/admin/models-action', many(modelsAtOnceMax + 1));
      expect(outcomeOf(more)).toEqual(wrong('models'));
    });
  });

  it('names the field that is wrong in a new model', async () => {
    const refused = async (body: object) =>
      outcomeOf(await world.visitor.post('/admin/models', body));
    expect(await refused({ id: 'no model' })).toEqual(wrong('id'));
    expect(await refused({ id: await add() })).toEqual(wrong('id'));
  });

  it('moves a model to another place, and no two models to the same', async () => {
    const id = await add();
    const moved = await ask('PATCH', `/admin/models/${id}`, { position: 1 });
    expect(adminModelSchema.parse(moved.body).position).toBe(1);
    const { models: listed } = adminModelsSchema.parse((await ask('GET', '/admin/models')).body);
    expect(listed[1]?.id).toBe(id);
    expect(listed.map(({ position }) => position)).toEqual(listed.map((_, place) => place));
  });
});
