import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { pruneUsageBatch } from '../../../server/flows/installation/prune-history.ts';
import { adjustWallet } from '../../../server/flows/money/adjust-wallet.ts';
import { refundCharge } from '../../../server/flows/money/refund-charge.ts';
import { topUpWallet } from '../../../server/flows/money/top-up-wallet.ts';
import { markDelivered } from '../../../server/wallets/delivery-store.ts';
import {
  transactionDetailSchema,
  transactionListSchema,
  walletChartSchema,
  walletSchema,
} from '../../../shared/console/wallet.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { amount } from '../../support/console/test-admin.ts';
import { exactly } from '../../support/exactly.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf } from '../../support/money/spending.ts';

const day = 24 * 3_600_000;
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

function read<S extends z.ZodType>(schema: S, answer: Answer): z.output<S> {
  if (answer.status !== 200) throw new Error(answer.text);
  return exactly(schema, answer.body);
}

describeApi(
  (api) => {
    let user: ConsoleUser;
    let charged: string;
    const list = async (query = '', { browser } = user) =>
      read(transactionListSchema, await browser.get(`/wallet/transactions${query}`));

    beforeAll(async () => {
      user = await addConsoleUser(api.app, { money: '10' });
      const { admin, database } = api.app;
      clock.advance(day);
      const answer = await api.ask(generation, {}, { user });
      charged = answer.headers.get('x-request-id') ?? '';
      await api.ask(generation, {}, { user });
      await database.transaction((trx) => markDelivered(trx, [charged], clock.now()));
      clock.advance(day);
      await refundCharge(
        { ...admin, actor: user.id, reason: 'blurred' },
        { traceId: charged, amount: null },
      );
      const order = { user: user.id, amount: amount('-1') };
      await adjustWallet({ ...admin, reason: 'fee' }, order);
      await topUpWallet({ ...admin, reason: null }, { user: user.id, amount: amount('2.5') });
    });

    test('what one has is told with what it is enough for', async () => {
      const wallet = read(walletSchema, await user.browser.get('/wallet'));
      expect(wallet).toMatchObject({
        balance: { text: '11.46', micros: 11_460_000 },
        held: { text: '0.00' },
        available: { text: '11.46' },
        running: 0,
        top_up_text: '',
      });
      const flare = wallet.estimates.find(({ model }) => model === 'gen-image-2.5-flare');
      expect(flare?.requests_left).toBe(286);
    });

    describe('the history', () => {
      test('has every change, newest first, with the request it belongs to', async () => {
        const { items, count } = await list();
        expect(count).toBe(6);
        expect(items.map(({ kind, amount: { text } }) => `${kind} ${text}`)).toEqual([
          'top_up 2.50',
          'adjustment -1.00',
          'refund 0.04',
          'charge -0.04',
          'charge -0.04',
          'top_up 10.00',
        ]);
        expect(items[4]).toMatchObject({
          status: 'reversed',
          trace_id: charged,
          balance_after: { text: '9.96' },
          by: { kind: 'system', name: null },
          request: {
            model: 'gen-image-2.5-flare',
            requests: 1,
            images: 1,
            cost: { text: '0.04' },
            status: 'succeeded',
          },
        });
        expect(items[3]).toMatchObject({ status: 'settled' });
        expect(items[2]).toMatchObject({
          note: 'blurred',
          by: { kind: 'person', name: user.email },
          request: { model: 'gen-image-2.5-flare' },
        });
        // Whoever works on the command line is not named.
        expect(items[0]).toMatchObject({ request: null, by: { kind: 'person', name: null } });
      });

      test.each([
        ['?kind=charge', 2],
        ['?kind=refund,adjustment', 2],
        ['?range=yesterday', 2],
        ['?range=last_month', 0],
      ])('%s has %d entries', async (query, count) => {
        expect(await list(query)).toMatchObject({ count, items: { length: count } });
      });

      test('tells a charge that was returned in part from one that was returned', async () => {
        const payer = await addConsoleUser(api.app, { money: '1' });
        const { admin, database } = api.app;
        const answer = await api.ask(generation, {}, { user: payer });
        const traceId = answer.headers.get('x-request-id') ?? '';
        await database.transaction((trx) => markDelivered(trx, [traceId], clock.now()));
        const part = { traceId, amount: amount('0.01') };
        await refundCharge({ ...admin, reason: 'a little late' }, part);
        const { items } = await list('', payer);
        expect(items.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
          'refund settled',
          'charge partly_reversed',
          'top_up settled',
        ]);
        const csv = await payer.browser.get('/wallet/transactions.csv');
        expect(csv.text).toContain(',partly_reversed,');
      });

      test('tells of a request that is no longer kept what its daily total knows', async () => {
        const payer = await addConsoleUser(api.app, { money: '1' });
        const { database } = api.app;
        const answer = await api.ask(generation, {}, { user: payer });
        const traceId = answer.headers.get('x-request-id') ?? '';
        await database.transaction((trx) => markDelivered(trx, [traceId], clock.now()));
        const old = { beforeMs: clock.now() + 1, after: null, limit: 500 };
        await database.transaction((trx) => pruneUsageBatch(trx, old));
        const { items } = await list('', payer);
        expect(items[0]).toMatchObject({
          kind: 'charge',
          status: 'settled',
          trace_id: traceId,
          request: {
            model: 'gen-image-2.5-flare',
            requests: 1,
            images: null,
            cost: { text: '0.04' },
            status: 'succeeded',
          },
        });
        expect(items[1]).toMatchObject({ kind: 'top_up', request: null });
      });

      test('finds those of a trace ID', async () => {
        const { items } = await list(`?trace=${charged}`);
        expect(items.map(({ kind }) => kind)).toEqual(['refund', 'charge']);
      });

      test.each([
        ['?kind=gift', 'kind'],
        ['?cursor=older-x', 'cursor'],
        ['?range=ever', 'range'],
      ])('%s is told to be wrong', async (query, param) => {
        expect(outcomeOf(await user.browser.get(`/wallet/transactions${query}`))).toEqual(
          wrong(param),
        );
      });
    });

    describe('B53 the statement', () => {
      test.each([
        ['?range=30d', '0.00 + 12.50 + -0.08 + 0.04 + -1.00 = 11.46'],
        ['?range=yesterday', '10.00 + 0.00 + -0.08 + 0.00 + 0.00 = 9.92'],
        ['?range=today', '9.92 + 2.50 + 0.00 + 0.04 + -1.00 = 11.46'],
        ['?range=last_month', '0.00 + 0.00 + 0.00 + 0.00 + 0.00 = 0.00'],
        // Filters of the list leave it as it is.
        ['?range=yesterday&kind=refund', '10.00 + 0.00 + -0.08 + 0.00 + 0.00 = 9.92'],
      ])('of %s adds up: %s', async (query, expected) => {
        const { statement } = await list(query);
        const { opening, added, spent, returned, adjusted, closing, adds_up } = statement;
        const terms = [opening, ...[added, spent, returned, adjusted].map(({ sum }) => sum)];
        expect(`${terms.map(({ text }) => text).join(' + ')} = ${closing.text}`).toBe(expected);
        expect(terms.reduce((all, { micros }) => all + micros, 0)).toBe(closing.micros);
        expect(adds_up).toBe(true);
      });

      test('leaves the books as they are', async () => {
        await list();
        expect(await violationsOf(api.app.database)).toEqual([]);
      });
    });

    test('the balance over time has every step', async () => {
      const chart = read(walletChartSchema, await user.browser.get('/wallet/chart?range=7d'));
      expect(chart).toMatchObject({ unit: 'entry', opening: { micros: 0 } });
      expect(chart.points.map(({ balance_micros }) => balance_micros)).toEqual([
        10_000_000, 9_960_000, 9_920_000, 9_960_000, 8_960_000, 11_460_000,
      ]);
    });

    test.each([
      // 143 of them on the first day, 144 on each of the next, and the rest.
      { first: '2026-11-10T00:00:00Z', zone: 'UTC', balances: [143, 287, 431, 501] },
      // The third day has 25 hours.
      { first: '2026-10-30T04:00:00Z', zone: 'America/New_York', balances: [143, 287, 437, 501] },
    ])('many steps are drawn as the last of each day of $zone', async (days) => {
      const busy = await addConsoleUser(api.app, { money: '0' });
      const { database } = api.app;
      const first = Date.parse(days.first);
      await database.transaction(async (trx) => {
        for (let n = 1; n <= 501; n++) {
          const entry = {
            id: `txn_${busy.id}_${n}`,
            user_id: busy.id,
            seq: n,
            kind: 'top_up',
            amount: 1,
            balance_after: n,
            trace_id: null,
            actor: 'test',
            reason: null,
            created_at: first + n * 600_000,
          } as const;
          await trx.kysely.insertInto('wallet_transactions').values(entry).execute();
        }
      });
      const path = `/wallet/chart?from=${days.first.slice(0, 10)}&to=2026-11-20&tz=${days.zone}`;
      const chart = read(walletChartSchema, await busy.browser.get(path));
      expect(chart.unit).toBe('day');
      expect(chart.points.map(({ balance_micros }) => balance_micros)).toEqual(days.balances);
    });

    test('one change leads to the other of its request', async () => {
      const { items } = await list();
      const [, , refund, , charge] = items;
      const ofRefund = await user.browser.get(`/wallet/transactions/${refund?.id}`);
      expect(read(transactionDetailSchema, ofRefund)).toMatchObject({
        kind: 'refund',
        charge: { id: charge?.id, amount: { text: '-0.04' } },
        refund: null,
      });
      const ofCharge = await user.browser.get(`/wallet/transactions/${charge?.id}`);
      expect(read(transactionDetailSchema, ofCharge)).toMatchObject({
        refund: { id: refund?.id },
        charge: null,
      });
    });
  },
  { clock },
);
