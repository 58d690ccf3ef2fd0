import { describe, expect, test } from 'vitest';
import { describeApi, errorOf, outcomeOf } from '../../support/callers/api.ts';
import { startSlowRequest } from '../../support/callers/slow-request.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';

const tooLittle = { status: 429, code: 'insufficient_quota', param: null };
const tooMany = { status: 429, code: 'rate_limit', param: null };

describeApi(
  (api) => {
    describe('a wallet without enough money', () => {
      test('refuses a generation', async () => {
        const user = await api.app.addUser({ money: '0' });
        const answer = await api.ask(generation, {}, { user });
        expect(outcomeOf(answer)).toEqual(tooLittle);
        expect(errorOf(answer).type).toBe('insufficient_quota');
        expect(errorOf(answer).message).toContain('0.04');
        // A repeat helps nobody before money is added.
        expect(answer.headers.get('x-should-retry')).toBe('false');
        expect(answer.headers.has('retry-after')).toBe(false);
      });

      test('is one that lacks a single micro for all n pictures', async () => {
        const user = await api.app.addUser({ money: '0.119999' });
        expect(outcomeOf(await api.ask(generation, { n: 3 }, { user }))).toEqual(tooLittle);
        expect(await api.ask(generation, { n: 2 }, { user })).toMatchObject({ status: 200 });
      });

      test('refuses a stream with the status, not with an event', async () => {
        const user = await api.app.addUser({ money: '0.03' });
        const answer = await api.ask(generation, { stream: true }, { user });
        expect(outcomeOf(answer)).toEqual(tooLittle);
      });

      test('counts what running requests have set aside', async () => {
        const user = await api.app.addUser({ money: '0.07' });
        const slow = await startSlowRequest(api, user);
        expect(outcomeOf(await api.ask(generation, {}, { user }))).toEqual(tooLittle);
        await slow.leave();
        expect(await api.ask(generation, {}, { user })).toMatchObject({ status: 200 });
      });
    });

    describe('a user with as many requests running as allowed', () => {
      test('is refused another', async () => {
        const user = await api.app.addUser({ slotsMax: 1 });
        const slow = await startSlowRequest(api, user);
        const answer = await api.ask(generation, {}, { user });
        expect(outcomeOf(answer)).toEqual(tooMany);
        expect(errorOf(answer).type).toBe('rate_limit_error');
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        // The SDKs may send it again by themselves.
        expect(answer.headers.has('x-should-retry')).toBe(false);
        await slow.leave();
        expect(await api.ask(generation, {}, { user })).toMatchObject({ status: 200 });
      });

      test('keeps no other user waiting', async () => {
        const user = await api.app.addUser({ slotsMax: 1 });
        const slow = await startSlowRequest(api, user);
        expect(await api.ask(generation)).toMatchObject({ status: 200 });
        await slow.leave();
      });
    });
  },
  // Who leaves a request ends it at once.
  { config: { graceMs: 0 } },
);
