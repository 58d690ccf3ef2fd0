import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { refundCharge } from '../../../server/flows/money/refund-charge.ts';
import { makeId } from '../../../server/lib/ids.ts';
import { markDelivered } from '../../../server/wallets/delivery-store.ts';
import { usageDetailSchema, usageListSchema } from '../../../shared/console/usage.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { amount } from '../../support/console/test-admin.ts';
import { exactly } from '../../support/exactly.ts';
import { addUsageRows, usageRow } from '../../support/history/usage-rows.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const hour = 3_600_000;
const clock = new ManualClock(now);

function read<S extends z.ZodType>(schema: S, answer: Answer): z.output<S> {
  if (answer.status !== 200) throw new Error(answer.text);
  return exactly(schema, answer.body);
}

describeApi(
  (api) => {
    const list = async ({ browser }: ConsoleUser, query = '') =>
      read(usageListSchema, await browser.get(`/usage${query}`));
    const ids = async (user: ConsoleUser, query = '') =>
      (await list(user, query)).items.map(({ trace_id }) => trace_id);

    describe('the list', () => {
      let user: ConsoleUser;
      const rows = new Map<string, string>();

      beforeAll(async () => {
        user = await addConsoleUser(api.app, { money: '0' });
        const owner = { userId: user.id, apiKeyId: user.apiKeyId };
        const made = [
          ['plain', usageRow(owner, now - 5 * hour)],
          ['edit', usageRow(owner, now - 4 * hour, { operation: 'edit', model: 'gen-image-9' })],
          ['failed', usageRow(owner, now - 3 * hour, { status: 'failed', code: 'rate_limit' })],
          [
            'canceled',
            usageRow(owner, now - 2 * hour, { status: 'canceled', code: 'client_gone' }),
          ],
          ['running', usageRow(owner, now - hour, { status: 'running', unit_price: 0 })],
          ['old', usageRow(owner, now - 40 * 24 * hour)],
        ] as const;
        for (const [name, row] of made) rows.set(name, row.trace_id);
        await addUsageRows(
          api.app.database,
          made.map(([, row]) => row),
        );
      });

      const named = (...names: string[]) => names.map((name) => rows.get(name));

      test('has all that the page shows of a request', async () => {
        const { items } = await list(user, '?operation=edit');
        expect(items).toEqual([
          {
            trace_id: rows.get('edit'),
            started_at: '2026-11-20T08:00:00.000Z',
            duration_ms: 1_500,
            model: 'gen-image-9',
            operation: 'edit',
            api_key: { id: user.apiKeyId, name: 'test', kind: 'api' },
            requests: 1,
            images: 1,
            cost: { micros: 40_000, text: '0.04' },
            status: 'succeeded',
            code: null,
          },
        ]);
      });

      test.each<[string, string[]]>([
        ['', ['running', 'canceled', 'failed', 'edit', 'plain']],
        ['?model=gen-image-9', ['edit']],
        ['?model=gen-image-0', []],
        ['?status=failed', ['failed']],
        ['?status=failed,canceled', ['canceled', 'failed']],
        ['?code=rate_limit', ['failed']],
        ['?key=playground', []],
        ['?key=key_nobody', []],
        ['?from=2026-10-01&to=2026-10-31', ['old']],
        ['?range=yesterday', []],
        // An emptied filter, and one of another version.
        ['?model=&colour=red&range=today', ['running', 'canceled', 'failed', 'edit', 'plain']],
      ])('%s finds what it says', async (query, expected) => {
        expect(await ids(user, query)).toEqual(named(...expected));
      });

      test('finds a trace ID', async () => {
        expect(await ids(user, `?trace=${rows.get('failed')}`)).toEqual(named('failed'));
      });

      test('has nothing of somebody else’s API key', async () => {
        const stranger = await addConsoleUser(api.app, { money: '0' });
        expect(await ids(stranger, `?key=${user.apiKeyId}`)).toEqual([]);
        expect(await ids(stranger, `?trace=${rows.get('plain')}`)).toEqual([]);
      });

      test('totals all that match', async () => {
        const { totals } = await list(user);
        expect(totals).toMatchObject({
          requests: 5,
          images: 2,
          not_billed: 2,
          charged: { text: '0.08' },
          refunded: { text: '0.00' },
          spend: { text: '0.08' },
        });
      });

      test.each([
        ['?range=1y', 'range'],
        ['?from=2026-13-01', 'from'],
        ['?from=yesterday', 'from'],
        ['?to=2026-11-01', 'from'],
        ['?from=2026-11-02&to=2026-11-01', 'to'],
        ['?tz=Mars/Olympus', 'tz'],
        ['?status=done', 'status'],
        ['?status=failed,', 'status'],
        ['?code=E1', 'code'],
        ['?operation=draw', 'operation'],
        ['?cursor=first', 'cursor'],
        ['?cursor=older-x', 'cursor'],
        ['?model=a&model=b', 'model'],
      ])('%s is told to be wrong', async (query, param) => {
        expect(outcomeOf(await user.browser.get(`/usage${query}`))).toEqual(wrong(param));
      });
    });

    describe('the range', () => {
      const rangeOf = async (user: ConsoleUser, query: string) => (await list(user, query)).range;

      test('is the last 30 days, and echoes what was meant', async () => {
        const user = await addConsoleUser(api.app, { money: '0' });
        expect(await rangeOf(user, '')).toEqual({
          name: '30d',
          from_day: '2026-10-22',
          to_day: '2026-11-20',
          from: '2026-10-22T00:00:00.000Z',
          to: '2026-11-21T00:00:00.000Z',
          zone: 'UTC',
          from_offset: '+00:00',
          to_offset: '+00:00',
        });
      });

      test('B56 is cut in the zone that the link names', async () => {
        const user = await addConsoleUser(api.app, { money: '0' });
        expect(await rangeOf(user, '?from=2026-10-20&to=2026-10-31&tz=Europe/Berlin')).toEqual({
          name: null,
          from_day: '2026-10-20',
          to_day: '2026-10-31',
          from: '2026-10-19T22:00:00.000Z',
          to: '2026-10-31T23:00:00.000Z',
          zone: 'Europe/Berlin',
          from_offset: '+02:00',
          to_offset: '+01:00',
        });
      });

      test('is cut in the user’s zone when the link names none', async () => {
        const user = await addConsoleUser(api.app, { money: '0' });
        const preferences = JSON.stringify({ zone: 'Asia/Shanghai' });
        await api.app.database.transaction((trx) =>
          trx.kysely.updateTable('users').set({ preferences }).where('id', '=', user.id).execute(),
        );
        expect(await rangeOf(user, '?range=today')).toMatchObject({
          from: '2026-11-19T16:00:00.000Z',
          zone: 'Asia/Shanghai',
          from_offset: '+08:00',
        });
        expect(await rangeOf(user, '?range=today&tz=UTC')).toMatchObject({ zone: 'UTC' });
      });
    });

    describe('pages', () => {
      let user: ConsoleUser;
      let expected: readonly string[];

      beforeAll(async () => {
        user = await addConsoleUser(api.app, { money: '0' });
        // Some at the same millisecond: only the trace ID tells them apart.
        const made = Array.from({ length: 120 }, (_, n) =>
          usageRow({ userId: user.id }, now - 2 * hour - Math.floor(n / 3)),
        );
        await addUsageRows(api.app.database, made);
        expected = made
          .toSorted((a, b) => b.started_at - a.started_at || (a.trace_id < b.trace_id ? 1 : -1))
          .map(({ trace_id }) => trace_id);
      });

      test('follow each other without a gap, there and back', async () => {
        const first = await list(user);
        const second = await list(user, `?cursor=${first.older}`);
        const third = await list(user, `?cursor=${second.older}`);
        const there = [first, second, third].flatMap(({ items }) => items);
        expect(there.map(({ trace_id }) => trace_id)).toEqual(expected);
        expect([first, second, third].map(({ items }) => items.length)).toEqual([50, 50, 20]);
        expect([first.newer, third.older]).toEqual([null, null]);
        const back = await list(user, `?cursor=${third.newer}`);
        expect(back.items).toEqual(second.items);
        const home = await list(user, `?cursor=${back.newer}`);
        expect(home.items).toEqual(first.items);
        expect(home.newer).toBeNull();
      });

      test('tell what came since', async () => {
        const { since } = await list(user);
        expect(await ids(user, `?cursor=${since}`)).toEqual([]);
        const late = usageRow({ userId: user.id }, now - hour);
        await addUsageRows(api.app.database, [late]);
        expect(await ids(user, `?cursor=${since}`)).toEqual([late.trace_id]);
      });
    });

    describe('one request', () => {
      test('is told with what was asked and used, and what it did to the wallet', async () => {
        const user = await addConsoleUser(api.app);
        const answer = await api.ask(generation, { quality: 'low', size: 'auto' }, { user });
        const traceId = answer.headers.get('x-request-id') ?? '';
        const detail = read(usageDetailSchema, await user.browser.get(`/usage/${traceId}`));
        expect(detail).toMatchObject({
          status: 'succeeded',
          unit_price: { text: '0.04' },
          charge: { amount: { text: '-0.04' }, balance_after: { text: '99.96' } },
          refund: null,
          stream: false,
          asked: { size: 'auto', quality: 'low', partial_images: 0, mask: false },
          used: { size: '32x32', quality: 'low', output_format: 'png' },
          advice: null,
        });
        expect(detail.timing).not.toBeNull();
        // Its owner has no business with upstreams.
        expect(JSON.stringify(detail)).not.toContain('sandbox');
      });

      test('says what to do about its code', async () => {
        const user = await addConsoleUser(api.app, { money: '0' });
        const { headers } = await api.ask(generation, {}, { user });
        const path = `/usage/${headers.get('x-request-id')}`;
        // Refused requests are written a moment later.
        await clock.untilSleeping();
        clock.advance(1_000);
        await expect
          .poll(async () => (await user.browser.get(path)).body)
          .toMatchObject({
            status: 'failed',
            code: 'insufficient_quota',
            charge: null,
            advice: 'Add funds to the wallet, or raise the limit of the API key.',
          });
      });

      test('says of one that found no upstream free that they were busy', async () => {
        const { id: userId, browser } = await addConsoleUser(api.app);
        const row = usageRow({ userId }, now, { status: 'failed', code: 'unavailable' });
        await addUsageRows(api.app.database, [row]);
        const detail = read(usageDetailSchema, await browser.get(`/usage/${row.trace_id}`));
        expect(detail.advice).toContain('The image services were busy');
      });

      test('B53 is counted with what an administrator returned of it', async () => {
        const user = await addConsoleUser(api.app);
        const { headers } = await api.ask(generation, {}, { user });
        const traceId = headers.get('x-request-id') ?? makeId('tr', now);
        const { admin, database } = api.app;
        await database.transaction((trx) => markDelivered(trx, [traceId], clock.now()));
        await refundCharge({ ...admin, reason: 'blurred' }, { traceId, amount: amount('0.01') });
        expect((await list(user)).totals).toMatchObject({
          charged: { text: '0.04' },
          refunded: { text: '0.01' },
          spend: { text: '0.03' },
        });
      });
    });
  },
  { clock },
);
