import { expect, test } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import { refusalsOf, unauthorized } from '../../support/callers/keys.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';

describeApi((api) => {
  test('a generation needs a key, whatever else is wrong with it', async () => {
    expect(await refusalsOf(api, (options) => api.ask(generation, {}, options))).toEqual([
      unauthorized,
      unauthorized,
    ]);
    expect(await refusalsOf(api, (options) => api.ask(generation, { n: 0 }, options))).toEqual([
      unauthorized,
      unauthorized,
    ]);
  });
});
