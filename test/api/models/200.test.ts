import { describe, expect, test } from 'vitest';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { setPrice } from '../../../server/flows/models/set-price.ts';
import { modelListSchema, modelSchema } from '../../../shared/api/models.ts';
import { type Answer, describeApi } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { amount } from '../../support/console/test-admin.ts';
import { exactly } from '../../support/exactly.ts';

const ids = ['gen-image-2.5-sunburst', 'gen-image-2.5-flare', 'gen-image-2'];

describeApi((api) => {
  const idsOf = ({ body }: Answer) => exactly(modelListSchema, body).data.map(({ id }) => id);

  describe('the models', () => {
    test('are those of the specification, the preferred ones first', async () => {
      const answer = await api.get('/v1/models');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(idsOf(answer)).toEqual(ids);
    });

    test('say what a picture costs and what they can do', async () => {
      const [, flare, classic] = exactly(modelListSchema, (await api.get('/v1/models')).body).data;
      expect(flare).toEqual({
        id: 'gen-image-2.5-flare',
        object: 'model',
        created: expect.any(Number),
        owned_by: 'tintype',
        description: expect.any(String),
        price: { amount: '0.04', currency: 'USD', per: 'image' },
        capabilities: {
          operations: ['generation', 'edit'],
          sizes: ['auto', '1024x1024', '1536x1024', '1024x1536'],
          qualities: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'],
          output_formats: ['png', 'jpeg', 'webp'],
          reference_images_max: 16,
          mask: true,
          transparent_background: true,
          stream: true,
          partial_images: true,
        },
      });
      expect(classic?.capabilities.qualities).toEqual(['auto', 'low', 'medium', 'high']);
    });

    test('can be asked for one by one', async () => {
      const list = exactly(modelListSchema, (await api.get('/v1/models')).body).data;
      for (const model of list) {
        const answer = await api.get(`/v1/models/${model.id}?a=b`);
        expect(exactly(modelSchema, answer.body)).toEqual(model);
      }
    });

    test('are only those that can be used now', async () => {
      const { admin } = api.app;
      await setEnabledOfModel(admin, { modelId: 'gen-image-2', enabled: false });
      expect(idsOf(await api.get('/v1/models'))).toEqual(ids.slice(0, 2));
      await setEnabledOfModel(admin, { modelId: 'gen-image-2', enabled: true });
      expect(idsOf(await api.get('/v1/models'))).toEqual(ids);
    });

    test('are only those that the key may use', async () => {
      const { secret } = await api.app.addKey(api.user.id, { models: ['gen-image-2'] });
      const user = { apiKey: secret };
      expect(idsOf(await api.get('/v1/models', { user }))).toEqual(['gen-image-2']);
      expect(await api.ask(generation, { model: 'gen-image-2' }, { user })).toMatchObject({
        status: 200,
      });
    });

    test('have the price that the next request costs', async () => {
      await setPrice(api.app.admin, { modelId: 'gen-image-2', price: amount('0.123456') });
      const { body } = await api.get('/v1/models/gen-image-2');
      const { price } = exactly(modelSchema, body);
      const answer = await api.ask(generation, { model: 'gen-image-2' });
      expect(price.amount).toBe('0.123456');
      expect(answer.headers.get('x-tintype-cost')).toBe(price.amount);
    });
  });
});
