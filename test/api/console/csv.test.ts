import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { topUpWallet } from '../../../server/flows/money/top-up-wallet.ts';
import { csvLimits } from '../../../server/http/console/csv-answer.ts';
import { must } from '../../../server/lib/assert.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { amount } from '../../support/console/test-admin.ts';
import { addUsageDay, addUsageRows, usageRow } from '../../support/history/usage-rows.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const hour = 3_600_000;
const clock = new ManualClock(now);

describeApi(
  (api) => {
    let user: ConsoleUser;
    let rows: ReturnType<typeof usageRow>[];

    beforeAll(async () => {
      user = await addConsoleUser(api.app, { money: '0' });
      const owner = { userId: user.id, apiKeyId: user.apiKeyId };
      // More than the file is read at a time.
      rows = Array.from({ length: 1_203 }, (_, n) => usageRow(owner, now - hour - n));
      await addUsageRows(api.app.database, rows);
    });

    const linesOf = (text: string) => text.replace('\uFEFF', '').trimEnd().split('\r\n');

    describe('B57 the file of one’s usage', () => {
      test('has a row for all that match, as many as the totals say', async () => {
        const answer = await user.browser.get('/usage.csv');
        const list = await user.browser.get('/usage');
        const lines = linesOf(answer.text);
        expect(answer.headers.get('x-tintype-rows')).toBe('1203');
        expect(lines).toHaveLength(1 + 1_203);
        expect(list.body).toMatchObject({ totals: { requests: 1_203 } });
        const traceIds = lines.slice(1).map((line) => line.split(',').at(-1));
        expect(traceIds).toEqual(rows.map(({ trace_id }) => trace_id));
      });

      test('has as many rows as the list, where older requests are only in the totals', async () => {
        const one = await addConsoleUser(api.app, { money: '0' });
        await addUsageRows(api.app.database, [usageRow({ userId: one.id }, now - hour)]);
        await addUsageDay(api.app.database, { userId: one.id, day: '2024-01-02', records: 60_000 });
        const query = '?from=2024-01-01&to=2026-11-20';
        const list = await one.browser.get(`/usage${query}`);
        expect(list.body).toMatchObject({ count: 1, totals: { requests: 60_001 } });
        const { headers } = await one.browser.get(`/usage.csv${query}`);
        expect(headers.get('x-tintype-rows')).toBe('1');
      });

      test('begins with a mark, and tells time both ways, amounts both ways', async () => {
        const path = `/usage.csv?tz=America/St_Johns&trace=${rows[0]?.trace_id}`;
        const { text, headers } = await user.browser.get(path);
        // `fetch` takes the mark of UTF-8 away.
        const [header, row] = linesOf(text);
        expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
        expect(header).toBe(
          'time_utc,time_local,model,operation,api_key,requests,images,cost,cost_micros,currency,duration_ms,status,code,trace_id',
        );
        expect(row).toBe(
          `2026-11-20T11:00:00.000Z,2026-11-20T07:30:00.000-03:30,gen-image-2,generation,test,1,1,0.04,40000,USD,1500,succeeded,,${rows[0]?.trace_id}`,
        );
      });

      test('is called after its days and zone', async () => {
        const named = async (query: string) =>
          (await user.browser.get(`/usage.csv?${query}`)).headers.get('content-disposition');
        expect(await named('range=7d&tz=America/St_Johns')).toBe(
          'attachment; filename="usage_2026-11-14_2026-11-20_America-St_Johns.csv"',
        );
        expect(await named('range=today')).toBe('attachment; filename="usage_2026-11-20_UTC.csv"');
      });

      test('begins with the bytes by which spreadsheets see UTF-8', async () => {
        const response = await fetch(`${api.app.baseUrl}/api/console/usage.csv?range=yesterday`, {
          headers: { cookie: user.browser.cookieHeader },
        });
        const bytes = new Uint8Array(await response.arrayBuffer());
        expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      });

      test('goes by the same filters as the page', async () => {
        const { text, headers } = await user.browser.get('/usage.csv?status=failed');
        expect(headers.get('x-tintype-rows')).toBe('0');
        expect(linesOf(text)).toHaveLength(1);
        const answer = await user.browser.get('/usage.csv?status=done');
        expect(outcomeOf(answer)).toEqual(wrong('status'));
      });

      test('is asked for without its body', async () => {
        const answer = await user.browser.ask('HEAD', '/usage.csv');
        expect(answer).toMatchObject({ status: 200, text: '' });
        expect(answer.headers.get('x-tintype-rows')).toBe('1203');
      });

      test('B58 is of one moment, whatever happens while it is read', async () => {
        const response = await fetch(`${api.app.baseUrl}/api/console/usage.csv`, {
          headers: { cookie: user.browser.cookieHeader },
        });
        const late = usageRow({ userId: user.id }, now - 1);
        await addUsageRows(api.app.database, [late]);
        const text = await response.text();
        expect(linesOf(text)).toHaveLength(1 + Number(response.headers.get('x-tintype-rows')));
        expect(text).not.toContain(late.trace_id);
      });

      test('disarms a name that a spreadsheet would run', async () => {
        const other = await addConsoleUser(api.app, { money: '0' });
        const { id } = await api.app.addKey(other.id, { name: '=HYPERLINK("http://x","y")' });
        const owner = { userId: other.id, apiKeyId: id };
        await addUsageRows(api.app.database, [usageRow(owner, now - hour)]);
        const { text } = await other.browser.get('/usage.csv');
        expect(text).toContain(`,"'=HYPERLINK(""http://x"",""y"")",`);
      });
    });

    describe('the file of one’s wallet', () => {
      test('has every change with its balance', async () => {
        const payer = await addConsoleUser(api.app, { money: '5' });
        await topUpWallet(
          { ...api.app.admin, reason: '-1 for luck, "really"' },
          { user: payer.id, amount: amount('1.25') },
        );
        const { text, headers } = await payer.browser.get('/wallet/transactions.csv');
        const [header = '', latest = '', first = ''] = linesOf(text);
        expect(headers.get('x-tintype-rows')).toBe('2');
        for (const name of ['model', 'requests', 'images', 'cost', 'status', 'trace_id']) {
          expect(header.split(',')).toContain(name);
        }
        expect(latest).toMatch(
          /^2026-11-20T12:00:00.000Z,2026-11-20T12:00:00.000\+00:00,top_up,,,,,,1.25,1250000,6.25,6250000,USD,settled,,person,"'-1 for luck, ""really""",,txn_/,
        );
        expect(first).toContain(',5.00,5000000,5.00,5000000,');
      });

      test('goes by the kind', async () => {
        const payer = await addConsoleUser(api.app, { money: '5' });
        const { headers } = await payer.browser.get('/wallet/transactions.csv?kind=charge,refund');
        expect(headers.get('x-tintype-rows')).toBe('0');
      });
    });
  },
  { clock },
);

// A clock of their own: they move it.
const hurried = new ManualClock(now);

describeApi(
  (api) => {
    let user: ConsoleUser;

    beforeAll(async () => {
      user = await addConsoleUser(api.app, { money: '0' });
    });

    describe('a long file', () => {
      let heavy: ConsoleUser;

      beforeAll(async () => {
        heavy = await addConsoleUser(api.app, { money: '0' });
        const owner = { userId: heavy.id };
        const many = Array.from({ length: csvLimits.rowsMax }, (_, n) =>
          usageRow(owner, now - hour - n, { trace_id: `tr_${heavy.id}_${n}` }),
        );
        await addUsageRows(api.app.database, many);
      });

      /** Asks for the file and takes nothing of it but its head. */
      const stall = async (reader: ConsoleUser, path = '/usage.csv') => {
        const asked = get(`${api.app.baseUrl}/api/console${path}`, {
          headers: { cookie: reader.browser.cookieHeader },
          agent: false,
        });
        const [response]: IncomingMessage[] = await once(asked, 'response');
        onTestFinished(() => void asked.destroy());
        return { asked, response: must(response, 'an answer') };
      };
      const statusFor = async (reader: ConsoleUser, path = '/usage.csv') =>
        (await reader.browser.ask('HEAD', path)).status;

      test(`is written once at a time for one user, beside those of others`, async () => {
        const { asked } = await stall(heavy);
        const second = await heavy.browser.get('/usage.csv');
        expect(outcomeOf(second)).toEqual({ status: 429, code: 'rate_limit', param: null });
        expect(second.headers.get('retry-after')).toBe('10');
        expect(await statusFor(user)).toBe(200);
        asked.destroy();
        await expect.poll(() => statusFor(heavy), { timeout: 15_000 }).toBe(200);
      });

      test(`is one of ${csvLimits.atOnceMax}, whoever they are for`, async () => {
        const path = `/admin/log.csv?user=${heavy.id}`;
        const admins: ConsoleUser[] = [];
        for (let n = 0; n < csvLimits.atOnceMax; n++) {
          admins.push(await addConsoleUser(api.app, { money: '0', role: 'admin' }));
        }
        const stalled: Awaited<ReturnType<typeof stall>>[] = [];
        for (const admin of admins) {
          expect(await statusFor(user)).toBe(200);
          stalled.push(await stall(admin, path));
        }
        expect(stalled.map(({ response }) => response.statusCode)).toEqual(admins.map(() => 200));
        expect(await statusFor(user)).toBe(429);
        stalled[0]?.asked.destroy();
        await expect.poll(() => statusFor(user), { timeout: 15_000 }).toBe(200);
      });

      test(`lets a reader go who takes nothing for ${csvLimits.takeMsMax} ms`, async () => {
        const { response } = await stall(heavy);
        const cut = once(response, 'error');
        hurried.advance(csvLimits.takeMsMax - 1);
        expect(await statusFor(heavy)).toBe(429);
        // The network takes a few million bytes by itself first; the time for the whole file is not over.
        let leftMs = csvLimits.durationMsMax - csvLimits.takeMsMax;
        const status = () => {
          leftMs -= csvLimits.takeMsMax;
          if (leftMs > 0) hurried.advance(csvLimits.takeMsMax);
          return statusFor(heavy);
        };
        await expect.poll(status, { timeout: 15_000, interval: 500 }).toBe(200);
        response.resume();
        expect(await cut).toMatchObject([{ code: 'ECONNRESET' }]);
      });

      test(`is refused with more than ${csvLimits.rowsMax} rows, and written with as many`, async () => {
        const whole = await heavy.browser.ask('HEAD', '/usage.csv');
        expect(whole.headers.get('x-tintype-rows')).toBe(String(csvLimits.rowsMax));
        await addUsageRows(api.app.database, [usageRow({ userId: heavy.id }, now - hour)]);
        expect(outcomeOf(await heavy.browser.get('/usage.csv'))).toEqual(wrong('range'));
      });
    });

    describe('a reader that leaves', () => {
      test('gives back its place', async () => {
        const leave = async () => {
          const left = new AbortController();
          const response = await fetch(`${api.app.baseUrl}/api/console/usage.csv`, {
            headers: { cookie: user.browser.cookieHeader },
            signal: left.signal,
          });
          left.abort();
          return response.status;
        };
        for (let n = 0; n < csvLimits.atOnceMax + 2; n++) {
          await expect.poll(leave, { timeout: 15_000 }).toBe(200);
        }
      });
    });
  },
  { clock: hurried },
);
