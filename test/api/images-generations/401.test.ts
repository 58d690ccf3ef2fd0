import { test } from 'vitest';
import { describeApi } from '../../support/api.ts';
import { expectUnauthorized } from '../../support/keys.ts';
import { generation } from '../../support/ways-to-ask.ts';

describeApi((api) => {
  test('a generation needs a key, whatever else is wrong with it', async () => {
    await expectUnauthorized(api, (options) => api.ask(generation, {}, options));
    await expectUnauthorized(api, (options) => api.ask(generation, { n: 0 }, options));
  });
});
