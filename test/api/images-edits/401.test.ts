import { test } from 'vitest';
import { describeApi } from '../../support/api.ts';
import { expectUnauthorized } from '../../support/keys.ts';
import { waysToEdit } from '../../support/ways-to-ask.ts';

describeApi((api) => {
  test.each(waysToEdit)('$name needs a key, whatever else is wrong with it', async (way) => {
    await expectUnauthorized(api, (options) => api.ask(way, {}, options));
    await expectUnauthorized(api, (options) => api.ask(way, { n: 0, image: [] }, options));
  });
});
