/** A caller that leaves while an upstream works: nobody else is asked. */
import { describe, expect, test } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf, walletOf } from '../../support/money/spending.ts';
import { patience } from '../../support/patience.ts';
import { type ServedModel, serveModel } from '../../support/upstreams/served-model.ts';

const clock = new ManualClock(Date.UTC(2030, 0, 1));
const graceMs = 30_000;
const deadlineMs = 300_000;
const steady = { settings: { directives: 'off' } };
let departures = 0;

describeApi(
  (api) => {
    /** A request whose caller leaves while the first upstream works on it. */
    async function leaveDuring(model: ServedModel, prompt: string) {
      const user = await api.app.addUser({ money: '1' });
      const client = new AbortController();
      const before = departures;
      const options = { user, signal: client.signal };
      const answer = api.ask(generation, { model: model.id, prompt }, options);
      answer.catch(() => 'left');
      await expect.poll(() => model.calls('first'), patience).toBe(1);
      client.abort();
      await expect.poll(() => departures, patience).toBe(before + 1);
      return user;
    }

    const recordOf = (user: { id: string }) =>
      api.app.database.kysely
        .selectFrom('usage_records')
        .select(['status', 'code', 'attempts'])
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow();

    describe('who does not come back', () => {
      test.each([
        ['works on', 'a fox [[delay=600s]]'],
        ['is silent', 'a fox [[stall]]'],
      ])('has the upstream stopped that %s, and the next is not asked', async (_what, prompt) => {
        const model = await serveModel(api.app, { first: {}, second: steady });
        const user = await leaveDuring(model, prompt);
        clock.advance(graceMs);
        const record = () => recordOf(user);
        await expect.poll(record, patience).toMatchObject({
          status: 'canceled',
          code: 'client_gone',
        });
        expect(JSON.parse((await record()).attempts ?? '')).toMatchObject([
          { upstream: model.nameOf('first'), attempt: 1, fault: 'canceled' },
        ]);
        expect(model.calls('second')).toBe(0);
        expect(await walletOf(api.app.database, user.id)).toBe('1.00 balance, 0.00 held, 0 slots');
        expect(await violationsOf(api.app.database)).toEqual([]);
      });

      test('has no second attempt begun after a rest', async () => {
        const model = await serveModel(api.app, { first: {} });
        const user = await leaveDuring(model, 'a fox [[fail=busy,retry_after=5s]] [[delay=29s]]');
        // The upstream fails a second before the grace is over, and asks for five.
        const before = clock.sleeping;
        clock.advance(29_000);
        // The sandbox's delay is over, and the rest has begun.
        await expect.poll(() => clock.sleeping, patience).toBe(before);
        clock.advance(1_000);
        await expect.poll(() => recordOf(user), patience).toMatchObject({ status: 'canceled' });
        clock.advance(10_000);
        expect(model.calls('first')).toBe(1);
        expect(await walletOf(api.app.database, user.id)).toBe('1.00 balance, 0.00 held, 0 slots');
      });
    });

    test('a request whose time is over is not tried elsewhere', async () => {
      const model = await serveModel(api.app, { first: {}, second: steady });
      const user = await api.app.addUser({ money: '1' });
      const answer = api.ask(generation, { model: model.id, prompt: 'a fox [[stall]]' }, { user });
      await expect.poll(() => model.calls('first'), patience).toBe(1);
      clock.advance(deadlineMs);
      expect(await answer).toMatchObject({ status: 502 });
      expect(model.calls('second')).toBe(0);
      expect(await walletOf(api.app.database, user.id)).toBe('1.00 balance, 0.00 held, 0 slots');
    });
  },
  {
    clock,
    config: { graceMs, requestDeadlineMs: deadlineMs },
    onLogLine: (line) => {
      if (line.includes('"code":"client_gone"')) departures++;
    },
  },
);
