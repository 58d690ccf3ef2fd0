import { expect, test } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import { refusalsOf, unauthorized } from '../../support/callers/keys.ts';
import { waysToEdit } from '../../support/callers/ways-to-ask.ts';

describeApi((api) => {
  test.each(waysToEdit)('$name needs a key, whatever else is wrong with it', async (way) => {
    expect(await refusalsOf(api, (options) => api.ask(way, {}, options))).toEqual([
      unauthorized,
      unauthorized,
    ]);
    expect(await refusalsOf(api, (options) => api.ask(way, { n: 0, image: [] }, options))).toEqual([
      unauthorized,
      unauthorized,
    ]);
  });
});
