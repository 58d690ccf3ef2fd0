import { expect, test } from 'vitest';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { waysToEdit } from '../../support/callers/ways-to-ask.ts';

describeApi(
  (api) => {
    test.each(waysToEdit)('$name fails with its upstream and costs nothing', async (way) => {
      const user = await api.app.addUser({ money: '0.04' });
      for (const fault of ['fail=unavailable', 'fail=timeout', 'truncate', 'empty']) {
        const answer = await api.ask(way, { prompt: `a fox [[${fault}]]` }, { user });
        expect(outcomeOf(answer)).toEqual({ status: 502, code: 'upstream_error', param: null });
      }
      expect(await api.ask(way, {}, { user })).toMatchObject({ status: 200 });
    });
  },
  { config: { attemptsPerPictureMax: 1 } },
);
