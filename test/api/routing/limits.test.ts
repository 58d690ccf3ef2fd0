/** How many pictures an upstream makes at the same moment, and who waits for it. */
import { expect, test } from 'vitest';
import type { Answer } from '../../support/callers/api.ts';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf, walletOf } from '../../support/money/spending.ts';
import { spentBy } from '../../support/money/spent.ts';
import { patience } from '../../support/patience.ts';
import { serveModel, wayOf } from '../../support/upstreams/served-model.ts';

const clock = new ManualClock(Date.UTC(2030, 0, 1));
const delayMs = 2_000;
const slow = { settings: { delayMs } };

describeApi(
  (api) => {
    /** Lets time pass, a picture's worth at a time, until all are answered. */
    async function untilAnswered(asked: readonly Promise<Answer>[]): Promise<Answer[]> {
      let isDone = false;
      const answers = Promise.all(asked).finally(() => {
        isDone = true;
      });
      const tick = () => {
        clock.advance(delayMs);
        return isDone;
      };
      await expect.poll(tick, patience).toBe(true);
      return answers;
    }

    test('is no more than its limit, however many are asked for', async () => {
      const limits = { concurrencyMax: 2, queueWaitMs: 600_000 };
      const { id, calls, atOnce } = await serveModel(api.app, { only: { ...slow, limits } });
      const user = await api.app.addUser({ money: '2' });
      const asked = [3, 3, 1].map((n) => api.ask(generation, { model: id, n }, { user }));
      const answers = await untilAnswered(asked);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect([calls('only'), atOnce('only')]).toEqual([7, 2]);
      expect((await spentBy(api.app.database, user)).sort()).toEqual(['0.10', '0.30', '0.30']);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('is without a limit all of them', async () => {
      const { id, atOnce } = await serveModel(api.app, { only: slow });
      const asked = api.ask(generation, { model: id, n: 5 });
      await expect.poll(() => atOnce('only'), patience).toBe(5);
      await untilAnswered([asked]);
    });

    test('the next upstream takes what the first has no room for', async () => {
      const limits = { concurrencyMax: 1 };
      const servers = { first: { ...slow, limits }, second: slow };
      const { id, calls, atOnce } = await serveModel(api.app, servers);
      const [answer] = await untilAnswered([api.ask(generation, { model: id, n: 3 })]);
      expect(answer?.status).toBe(200);
      expect([calls('first'), calls('second')]).toEqual([1, 2]);
      expect([atOnce('first'), atOnce('second')]).toEqual([1, 2]);
    });

    test('who finds the queue full is a 503, and nothing is charged', async () => {
      const limits = { concurrencyMax: 1, queueMax: 1, queueWaitMs: 600_000 };
      const { id, calls } = await serveModel(api.app, { only: { ...slow, limits } });
      const user = await api.app.addUser({ money: '1' });
      const first = await begin(delayMs, () => api.ask(generation, { model: id }));
      const second = await begin(600_000, () => api.ask(generation, { model: id }));
      const third = await api.ask(generation, { model: id }, { user });
      expect(outcomeOf(third)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(third.headers.get('retry-after')).toBe('1');
      expect(await wayOf(api.app, third)).toEqual(['only: skipped queue_full']);
      expect(await walletOf(api.app.database, user.id)).toBe('1.00 balance, 0.00 held, 0 slots');
      const answers = await untilAnswered([first.answer, second.answer]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(calls('only')).toBe(2);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('a request of which one picture was tried and another found no room is a 502', async () => {
      const limits = { concurrencyMax: 1, queueMax: 0 };
      const { id } = await serveModel(api.app, { only: { limits } });
      const prompt = 'a fox [[fail=timeout]]';
      const answer = await api.ask(generation, { model: id, n: 2, prompt });
      expect(outcomeOf(answer)).toMatchObject({ status: 502, code: 'upstream_error' });
    });

    test('who waited in vain is a 503, and nothing is charged', async () => {
      const limits = { concurrencyMax: 1, queueWaitMs: 1_000 };
      const { id } = await serveModel(api.app, { only: { ...slow, limits } });
      const user = await api.app.addUser({ money: '1' });
      const first = await begin(delayMs, () => api.ask(generation, { model: id }));
      const second = await begin(1_000, () => api.ask(generation, { model: id }, { user }));
      clock.advance(1_000);
      const answer = await second.answer;
      expect(outcomeOf(answer)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(await wayOf(api.app, answer)).toEqual(['only: skipped queue_wait']);
      expect(await spentBy(api.app.database, user)).toEqual([]);
      expect(await untilAnswered([first.answer])).toMatchObject([{ status: 200 }]);
    });

    /** Waits until the request sleeps for so long: for the sandbox, or for its turn. */
    async function begin(
      ms: number,
      ask: () => Promise<Answer>,
    ): Promise<{ answer: Promise<Answer> }> {
      const before = clock.sleepingFor(ms);
      const answer = ask();
      await clock.untilSleepingFor(ms, before + 1);
      return { answer };
    }
  },
  { clock },
);
