import { expect, test } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import { refusalsOf, unauthorized } from '../../support/callers/keys.ts';

describeApi((api) => {
  test.each(['/v1/models', '/v1/models/gen-image-2', '/v1/models/nothing'])(
    '%s needs a key, so that nobody learns which models there are',
    async (path) => {
      expect(await refusalsOf(api, (options) => api.get(path, options))).toEqual([
        unauthorized,
        unauthorized,
      ]);
    },
  );
});
