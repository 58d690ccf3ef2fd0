import { expect, test } from 'vitest';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { setPrice } from '../../../server/flows/models/set-price.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { startSlowRequest } from '../../support/callers/slow-request.ts';
import { waysToAsk } from '../../support/callers/ways-to-ask.ts';
import { amount } from '../../support/console/test-admin.ts';

describeApi(
  (api) => {
    test.each(waysToAsk)(
      'key, then fields, then model, then slot, then money: $name',
      async (way) => {
        const { admin } = api.app;
        const model = 'gen-image-2';
        await setPrice(admin, { modelId: model, price: amount('1000') });
        await setEnabledOfModel(admin, { modelId: model, enabled: false });
        const user = await api.app.addUser({ money: '1', slotsMax: 1 });
        const slow = await startSlowRequest(api, user);

        // Everything is wrong, and is mended one by one.
        const fields = { model, n: 0 };
        expect(outcomeOf(await api.ask(way, fields, { user: null }))).toMatchObject({
          status: 401,
        });
        expect(outcomeOf(await api.ask(way, fields, { user }))).toEqual(wrong('n'));
        const right = { model };
        expect(outcomeOf(await api.ask(way, right, { user }))).toMatchObject({
          status: 503,
          code: 'model_unavailable',
        });
        await setEnabledOfModel(admin, { modelId: model, enabled: true });
        expect(outcomeOf(await api.ask(way, right, { user }))).toMatchObject({
          status: 429,
          code: 'rate_limit',
        });
        await slow.leave();
        expect(outcomeOf(await api.ask(way, right, { user }))).toMatchObject({
          status: 429,
          code: 'insufficient_quota',
        });
        await setPrice(admin, { modelId: model, price: amount('1') });
        expect(await api.ask(way, right, { user })).toMatchObject({ status: 200 });
      },
    );
  },
  { config: { graceMs: 0 } },
);
