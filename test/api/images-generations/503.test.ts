import { beforeAll, expect, test } from 'vitest';
import { addModel } from '../../../server/flows/models/add-model.ts';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { unselectUpstreamModel } from '../../../server/flows/models/select-upstream-model.ts';
import { describeApi, errorOf, outcomeOf } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';

const unavailable = { status: 503, code: 'model_unavailable', param: 'model' };

describeApi((api) => {
  beforeAll(async () => {
    const { admin } = api.app;
    await addModel(admin, { id: 'no-price', description: 'new', extendedQualities: false });
    await setEnabledOfModel(admin, { modelId: 'gen-image-2.5-sunburst', enabled: false });
    const [modelId, upstreamModel] = ['gen-image-2', 'sandbox-classic'];
    await unselectUpstreamModel(admin, { modelId, upstream: 'sandbox', upstreamModel });
  });

  test.each([
    ['has no price', 'no-price'],
    ['has a price that is not enabled', 'gen-image-2.5-sunburst'],
    ['is not selected in an upstream', 'gen-image-2'],
  ])('a model that %s is unavailable', async (_why, model) => {
    const answer = await api.ask(generation, { model });
    expect(outcomeOf(answer)).toEqual(unavailable);
    expect(errorOf(answer)).toMatchObject({
      type: 'server_error',
      message: expect.stringContaining('administrator'),
    });
    // An administrator has to act first.
    expect(answer.headers.get('x-should-retry')).toBe('false');
  });

  test('a stream of such a model is refused with the status too', async () => {
    const answer = await api.ask(generation, { model: 'gen-image-2', stream: true });
    expect(outcomeOf(answer)).toEqual(unavailable);
  });

  test('the other models stay available', async () => {
    expect(await api.ask(generation)).toMatchObject({ status: 200 });
  });

  test('a model that is enabled again is available at the next request', async () => {
    const model = 'gen-image-2.5-sunburst';
    await setEnabledOfModel(api.app.admin, { modelId: model, enabled: true });
    expect(await api.ask(generation, { model })).toMatchObject({ status: 200 });
  });
});
