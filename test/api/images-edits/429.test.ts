import { describe, expect, test } from 'vitest';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { startSlowRequest } from '../../support/callers/slow-request.ts';
import { waysToEdit } from '../../support/callers/ways-to-ask.ts';

describeApi(
  (api) => {
    describe.each(waysToEdit)('$name', (way) => {
      test('is refused to a wallet without enough money', async () => {
        const user = await api.app.addUser({ money: '0.07' });
        const answer = await api.ask(way, { n: 2 }, { user });
        expect(outcomeOf(answer)).toEqual({ status: 429, code: 'insufficient_quota', param: null });
        expect(answer.headers.get('x-should-retry')).toBe('false');
        expect(await api.ask(way, { n: 1 }, { user })).toMatchObject({ status: 200 });
      });

      test('is refused to a user with as many requests running as allowed', async () => {
        const user = await api.app.addUser({ slotsMax: 1 });
        const slow = await startSlowRequest(api, user);
        const answer = await api.ask(way, {}, { user });
        expect(outcomeOf(answer)).toEqual({ status: 429, code: 'rate_limit', param: null });
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        await slow.leave();
        expect(await api.ask(way, {}, { user })).toMatchObject({ status: 200 });
      });
    });
  },
  // Who leaves a request ends it at once.
  { config: { graceMs: 0 } },
);
