import { expect, test } from 'vitest';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { describeApi, errorOf, outcomeOf, wrong } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';

const notFound = { status: 404, code: 'not_found', param: 'model' };

describeApi((api) => {
  test.each(['nothing', 'gen-image', 'GEN-IMAGE-2', 'gen-image-2%20', '..', '%2e%2e', ''])(
    'there is no model %j',
    async (id) => {
      const answer = await api.get(`/v1/models/${id}`);
      expect(outcomeOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  test('there is none with a name of any length', async () => {
    for (const length of [201, 300, 8_000]) {
      const answer = await api.get(`/v1/models/${'a'.repeat(length)}`);
      expect(outcomeOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('a model that cannot be used now is as one that does not exist', async () => {
    await setEnabledOfModel(api.app.admin, { modelId: 'gen-image-2', enabled: false });
    const [disabled, unknown] = [
      await api.get('/v1/models/gen-image-2'),
      await api.get('/v1/models/gen-image-3'),
    ];
    expect(outcomeOf(disabled)).toEqual(notFound);
    expect(errorOf(disabled).message).toBe(errorOf(unknown).message);
  });

  test('a model that the key may not use is as one that does not exist', async () => {
    const { secret } = await api.app.addKey(api.user.id, { models: ['gen-image-2.5-flare'] });
    const user = { apiKey: secret };
    const model = 'gen-image-2.5-sunburst';
    expect(outcomeOf(await api.get(`/v1/models/${model}`, { user }))).toEqual(notFound);
    const asked = await api.ask(generation, { model }, { user });
    const unknown = await api.ask(generation, { model: 'gen-image-3' }, { user });
    expect(outcomeOf(asked)).toEqual(wrong('model'));
    expect(errorOf(asked).message).toBe(errorOf(unknown).message);
  });
});
