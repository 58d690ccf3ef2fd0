/** The usage page: figures, filters, and the file. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { setPrice } from '../../server/flows/models/set-price.ts';
import { must } from '../../server/lib/assert.ts';
import { addAmounts, negateAmount, parseAmount } from '../../shared/money.ts';
import { addUsageDay, addUsageRows, usageRow } from '../support/history/usage-rows.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { columnOf, keysOf, makeImage, micros, rowsOf, termOf } from './support/ledger-page.ts';

const dayMs = 24 * 3_600_000;

describeConsole((console) => {
  it('B53 the spend of a range is its charges less its refunds', async () => {
    const user = await console.addUser();
    await makeImage(console.app, user);
    await makeImage(console.app, user, { model: 'gen-image-2', n: 2 });
    const { page } = await console.visit('/wallet?range=today&tz=UTC', { user });
    const spent = micros(await termOf(page, 'Spent'));
    const returned = micros(await termOf(page, 'Refunded'));
    await page.goto('/usage?range=today&tz=UTC');
    expect(micros(await termOf(page, 'Spend'))).toBe(negateAmount(addAmounts(spent, returned)));
  });

  it('says so where only the sums of requests are kept, which a file has no rows of', async () => {
    const user = await console.addUser({ money: '0' });
    const kept = { userId: user.id, day: '2024-01-02', records: 60_000 };
    await addUsageDay(console.app.database, kept);
    const { page } = await console.visit('/usage?from=2024-01-01&to=2024-01-31&tz=UTC', { user });
    await expect(page.getByText('only the sums are still kept')).toBeVisible();
    await expect(page.getByText('This place in the list does not exist')).toHaveCount(0);
    expect(await termOf(page, 'Requests')).toBe('60,000');
    await expect(page.getByText('0 rows')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Export CSV' })).toBeVisible();
  });

  it('takes the day that is typed, once it is whole', async () => {
    const { page } = await console.visit('/usage?from=2026-11-10&to=2026-11-20&tz=UTC', {
      user: await console.addUser({ money: '0' }),
    });
    const from = page.getByLabel('From', { exact: true });
    await from.focus();
    await page.keyboard.type('11052026', { delay: 30 });
    await expect(from).toHaveValue('2026-11-05');
    await expect(page).toHaveURL(/from=2026-11-10/);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/from=2026-11-05&to=2026-11-20/);
    await page.goBack();
    await expect(from).toHaveValue('2026-11-10');
  });

  it('B54 a copied address shows the same, with filters, page, and the open request', async () => {
    const user = await console.addUser({ money: '0' });
    const owner = { userId: user.id, apiKeyId: user.apiKeyId };
    const now = Date.now();
    await addUsageRows(
      console.app.database,
      Array.from({ length: 60 }, (_, n) => usageRow(owner, now - 3 * dayMs - n * 60_000)),
    );
    await addUsageRows(console.app.database, [
      usageRow(owner, now - 2 * dayMs, { model: 'gen-image-2.5-flare' }),
      usageRow(owner, now - 2 * dayMs, { status: 'failed', code: 'rate_limit' }),
    ]);
    const { page } = await console.visit('/usage', { user });
    await choose(page, 'Range', '7 days');
    await choose(page, 'Model', 'gen-image-2');
    await choose(page, 'Operation', 'Generate');
    await choose(page, 'API key', 'test');
    await choose(page, 'Status', 'Succeeded');
    await expect(page.getByText('60 rows')).toBeVisible();
    await page.getByRole('link', { name: 'Older' }).click();
    await expect(rowsOf(page)).toHaveCount(10);
    const shown = await keysOf(page);

    const { page: copy } = await console.visit(pathOf(page), { user });
    await expect(rowsOf(copy)).toHaveCount(10);
    expect(await keysOf(copy)).toEqual(shown);
    for (const [name, value] of [
      ['Range', '7 days'],
      ['Model', 'gen-image-2'],
      ['Operation', 'Generate'],
      ['API key', 'test'],
      ['Status', 'Succeeded'],
    ] as const) {
      await expect(copy.getByRole('combobox', { name })).toHaveText(value);
    }

    const first = must(shown[0] ?? null, 'a row');
    await rowsOf(page).first().getByRole('link').first().click();
    await expect(page.getByRole('dialog', { name: 'Request' })).toContainText(first);
    const { page: cold } = await console.visit(pathOf(page), { user });
    await expect(cold.getByRole('heading', { level: 1, name: 'Request' })).toBeVisible();
    await expect(cold.getByRole('link', { name: `Trace ID ${first}` })).toBeVisible();
    await cold.getByRole('link', { name: 'Back to Usage' }).click();
    await expect(rowsOf(cold)).toHaveCount(10);
    expect(await keysOf(cold)).toEqual(shown);
  });

  it('keeps a filter visible that names nothing known', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage?model=gone-model&key=key_gone', { user });
    await expect(page.getByRole('combobox', { name: 'Model' })).toHaveText('unknown: gone-model');
    await expect(page.getByRole('combobox', { name: 'API key' })).toHaveText('unknown: key_gone');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(`${console.app.baseUrl}/usage`);
  });

  it('B56 the same days of the same zone have the same numbers in every browser', async () => {
    const user = await console.addUser({ money: '0' });
    const owner = { userId: user.id };
    // Two hours around midnight in Shanghai.
    const midnight = Date.parse('2025-11-14T16:00:00Z');
    await addUsageRows(console.app.database, [
      usageRow(owner, midnight - 3_600_000),
      usageRow(owner, midnight),
      usageRow(owner, midnight + dayMs - 1),
      usageRow(owner, midnight + dayMs),
    ]);
    const path = '/usage?from=2025-11-15&to=2025-11-15&tz=Asia/Shanghai&group=day';
    const seen = [];
    for (const zone of ['America/St_Johns', 'Europe/Berlin']) {
      const { page } = await console.visit(path, { user, zone });
      await expect(
        page.getByText('15 Nov 2025 00:00 to 15 Nov 2025 24:00, Asia/Shanghai (UTC+8)'),
      ).toBeVisible();
      await rowsOf(page).first().waitFor();
      await page.getByRole('img', { name: '$0.08 charged over 24 hours' }).waitFor();
      seen.push(await page.getByRole('main').innerText());
      expect(await termOf(page, 'Requests')).toBe('2');
    }
    expect(seen[0]).toBe(seen[1]);
  });

  it('B57 chart, list and file are of one zone, and the file has every row', async () => {
    const user = await console.addUser({ money: '0' });
    const at = Date.parse('2025-11-14T20:30:00Z');
    await addUsageRows(console.app.database, [
      usageRow({ userId: user.id }, at),
      usageRow({ userId: user.id }, at + 1_000),
    ]);
    const path = '/usage?from=2025-11-13&to=2025-11-16&tz=Asia/Shanghai';
    const { page } = await console.visit(path, { user });
    expect(await columnOf(page, 'Time')).toEqual([
      '15 Nov 2025, 04:30:01',
      '15 Nov 2025, 04:30:00',
    ]);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('region', { name: 'Show as table' });
    await expect(table.getByRole('row').filter({ hasText: '15 Nov 2025' })).toContainText('$0.08');
    await expect(table.getByRole('row').filter({ hasText: '14 Nov 2025' })).toContainText('$0.00');

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('usage_2025-11-13_2025-11-16_Asia-Shanghai.csv');
    const [head = '', ...rows] = linesOf(readFileSync(await file.path(), 'utf8'));
    expect(head).toContain('time_utc,time_local,');
    expect(rows[0]).toContain('2025-11-14T20:30:01.000Z,2025-11-15T04:30:01.000+08:00,');
    expect(String(rows.length)).toBe(await termOf(page, 'Requests'));
  });

  it('B58 the file stays that of the filters it was asked with', async () => {
    const user = await console.addUser({ money: '0' });
    const owner = { userId: user.id };
    const now = Date.now();
    await addUsageRows(
      console.app.database,
      Array.from({ length: 2_000 }, (_, n) => usageRow(owner, now - n * 1_000)),
    );
    await addUsageRows(console.app.database, [
      usageRow(owner, now - 500, { status: 'failed', code: 'rate_limit' }),
    ]);
    const { page } = await console.visit('/usage?status=succeeded', { user });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    await choose(page, 'Status', 'Failed');
    await expect(page.getByText('1 row', { exact: true })).toBeVisible();
    const rows = linesOf(readFileSync(await (await download).path(), 'utf8')).slice(1);
    expect(rows).toHaveLength(2_000);
    expect(rows.filter((line) => line.includes('rate_limit'))).toEqual([]);
  });

  it('B61 no amount has three decimals, none that is something reads as nothing', async () => {
    const user = await console.addUser({ money: '7.345678', role: 'admin' });
    const { admin } = console.app;
    for (const [modelId, text] of [
      ['gen-image-2', '0.045'],
      ['gen-image-2.5-flare', '0.000001'],
    ] as const) {
      const price = must(parseAmount(text), 'a price');
      await setPrice({ ...admin, reason: 'test' }, { modelId, price });
    }
    await makeImage(console.app, user, { model: 'gen-image-2' });
    await makeImage(console.app, user);
    const { page } = await console.visit('/usage', { user });
    expect(await columnOf(page, 'Cost')).toEqual(['$0.000001', '$0.045000']);
    expect(await termOf(page, 'Spend')).toBe('$0.045001');
    const ownPages = ['/playground', '/usage?group=model', '/wallet', '/keys', '/quickstart'];
    const ofUser = ['overview', 'wallet', 'keys', 'usage'].map((tab) => `${user.id}?tab=${tab}`);
    const adminPages = ['', '/models', '/users', '/log', ...ofUser.map((each) => `/users/${each}`)];
    for (const path of ['/usage', ...ownPages, ...adminPages.map((each) => `/admin${each}`)]) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await page.getByRole('main').getByText(/\$\d/).first().waitFor();
      const amounts = (await page.getByRole('main').innerText()).match(/\$[\d,]*\.\d+/g) ?? [];
      expect(amounts.length, path).toBeGreaterThan(0);
      expect(
        amounts.filter((amount) => /\.\d{3}$/.test(amount)),
        path,
      ).toEqual([]);
    }
    // 7.345678 less 0.045001 are 7.300677.
    await expect(page.getByRole('link', { name: 'Balance $7.30' })).toBeVisible();
    await page.goto('/wallet');
    await expect(page.getByRole('region', { name: 'Available' })).toContainText('$7.300677');
  });

  it('is empty with the way to a first request', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage', { user });
    await expect(page.getByText('No requests yet.')).toBeVisible();
    await page.getByRole('link', { name: 'Call the API' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Quickstart' })).toBeVisible();
  });

  it('says which filters leave nothing, and clears them', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage?model=gen-image-2&status=failed&code=rate_limit', {
      user,
    });
    const set = page.getByRole('main').getByRole('list', { name: 'Filters' });
    await expect(set.getByRole('listitem')).toHaveText([
      'Model: gen-image-2',
      'Status: Failed',
      'Code: Rate limited',
    ]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(`${console.app.baseUrl}/usage`);
  });

  it('finds a trace ID of a day outside of the range as well', async () => {
    const user = await console.addUser({ money: '0' });
    const owner = { userId: user.id, apiKeyId: user.apiKeyId };
    const row = usageRow(owner, Date.now() - 60 * dayMs);
    await addUsageRows(console.app.database, [row]);
    const { page } = await console.visit('/usage', { user });
    await page.getByLabel('Trace ID', { exact: true }).fill(`Request: ${row.trace_id}.`);
    await expect(page.getByText('No requests match')).toBeVisible();
    await page.getByRole('link', { name: 'Look for the trace ID in all days' }).click();
    await expect(page).toHaveURL(new RegExp(`/usage/${row.trace_id}`));
    await expect(page.getByText('Succeeded').first()).toBeVisible();
  });

  it('a range over a change of the clock names both offsets', async () => {
    const user = await console.addUser();
    const path = '/usage?from=2026-10-24&to=2026-10-26&tz=Europe/Berlin';
    const { page } = await console.visit(path, { user });
    await expect(
      page.getByText('24 Oct 2026 00:00 to 26 Oct 2026 24:00, Europe/Berlin (UTC+2 → UTC+1)'),
    ).toBeVisible();
  });

  it('shows active filters as chips on a phone', async () => {
    const user = await console.addUser({ money: '0' });
    await addUsageRows(console.app.database, [usageRow({ userId: user.id }, Date.now())]);
    const path = '/usage?model=gen-image-2&status=succeeded';
    const { page } = await console.visit(path, { user, size: 'phone' });
    await page.getByRole('button', { name: 'Remove filter Model: gen-image-2' }).click();
    await expect(page).toHaveURL(/\/usage\?status=succeeded$/);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
  });
});

async function choose(page: Page, label: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: choice, exact: true }).click();
}

/** Path and search, as somebody would copy them. */
function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
}

function linesOf(file: string): readonly string[] {
  return file
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
}
