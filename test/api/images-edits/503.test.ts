import { beforeAll, expect, test } from 'vitest';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { waysToEdit } from '../../support/callers/ways-to-ask.ts';

const model = 'gen-image-2';

describeApi((api) => {
  beforeAll(async () => {
    await setEnabledOfModel(api.app.admin, { modelId: model, enabled: false });
  });

  test.each(waysToEdit)('$name by a model that is not enabled is refused', async (way) => {
    for (const stream of [false, true]) {
      const answer = await api.ask(way, { model, stream });
      expect(outcomeOf(answer)).toEqual({
        status: 503,
        code: 'model_unavailable',
        param: 'model',
      });
      expect(answer.headers.get('x-should-retry')).toBe('false');
    }
    expect(await api.ask(way)).toMatchObject({ status: 200 });
  });
});
