/** The wallet page: what there is, the statement, the ledger and its file. */
import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { changeSetting } from '../../server/flows/installation/change-setting.ts';
import { adjustWallet } from '../../server/flows/money/adjust-wallet.ts';
import { refundCharge } from '../../server/flows/money/refund-charge.ts';
import { topUpWallet } from '../../server/flows/money/top-up-wallet.ts';
import { must } from '../../server/lib/assert.ts';
import { markDelivered } from '../../server/wallets/delivery-store.ts';
import { addAmounts, parseAmount, zero } from '../../shared/money.ts';
import type { TestUser } from '../support/app.ts';
import { type ConsoleBench, describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { cell, columnOf, makeImage, micros, rowsOf, termOf } from './support/ledger-page.ts';

const amount = (text: string) => must(parseAmount(text), text);

describeConsole((console) => {
  it('names several kinds that are filtered for as the language lists them', async () => {
    const user = await console.addUser();
    const visit = { user, language: 'zh-CN', size: 'phone' } as const;
    const { page } = await console.visit('/wallet?kind=top_up,refund', visit);
    await expect(page.getByRole('button', { name: '“类型：充值、退款”' })).toBeVisible();
  });

  it('names whom to ask as the language punctuates it', async () => {
    const contact = 'ada@example.com';
    await changeSetting(console.app.admin, { key: 'contact', value: contact });
    const user = await console.addUser();
    for (const [language, shown] of [
      ['en', `Contact: ${contact}`],
      ['zh-CN', `联系方式：${contact}`],
    ] as const) {
      const { page } = await console.visit('/wallet', { user, language });
      await expect(page.getByText(shown, { exact: true })).toBeVisible();
    }
  });

  it('B53 opening and entries make the closing balance, to the last micro', async () => {
    const { user } = await somebodyWithAHistory(console);
    for (const range of ['today', '7d', 'last_month']) {
      const { page } = await console.visit(`/wallet?range=${range}&tz=UTC`, { user });
      const statement = page.getByRole('region', { name: 'Statement' });
      const opening = micros(await termOf(statement, 'Opening balance'));
      const closing = micros(await termOf(statement, 'Closing balance'));
      const terms = await Promise.all(
        ['Added', 'Spent', 'Refunded', 'Adjusted'].map(async (term) =>
          micros(await termOf(statement, term)),
        ),
      );
      expect(terms.reduce(addAmounts, opening)).toBe(closing);
      if (range === 'last_month') continue;
      const entries = (await columnOf(page, 'Amount')).map(micros);
      expect(entries).toHaveLength(6);
      expect(addAmounts(opening, entries.reduce(addAmounts, zero))).toBe(closing);
      expect(micros((await columnOf(page, 'Balance after'))[0] ?? '')).toBe(closing);
    }
  });

  it('B53 each part of the statement leads to its entries', async () => {
    const { user } = await somebodyWithAHistory(console);
    const { page } = await console.visit('/wallet', { user });
    const statement = page.getByRole('region', { name: 'Statement' });
    const closing = await termOf(statement, 'Closing balance');
    await statement.getByRole('link', { name: 'Refunded' }).click();
    await expect(page).toHaveURL(/\/wallet\?kind=refund$/);
    await expect(rowsOf(page)).toHaveCount(1);
    await expect(page.getByRole('combobox', { name: 'Kind' })).toHaveText('Refund');
    // Filters of the list leave the statement as it is.
    expect(await termOf(statement, 'Closing balance')).toBe(closing);
  });

  it.each([
    { change: 'spring', from: '2026-03-27', to: '2026-03-30', last: '30 Mar' },
    { change: 'autumn', from: '2026-10-23', to: '2026-10-26', last: '26 Oct' },
  ])('names each day below the chart where the clock changes in $change', async (range) => {
    const { from, to, last } = range;
    const user = await console.addUser();
    const address = `/wallet?from=${from}&to=${to}&tz=Europe/Berlin`;
    const { page } = await console.visit(address, { user });
    const days = page.getByRole('img', { name: 'From $0.00 to $0.00' }).getByText(/ (Mar|Oct)$/);
    await expect(days).toHaveCount(4);
    await expect(days.last()).toHaveText(last);
  });

  it('draws a balance at the end of what an amount can be', async () => {
    const user = await console.addUser({ money: '9000000000' });
    const { page } = await console.visit('/wallet', { user });
    const chart = page.getByRole('img', { name: 'From $0.00 to $9,000,000,000.00' });
    await expect(chart).toContainText('$8,000,000,000.00');
    await expect(page.getByRole('region', { name: 'Statement' })).toContainText(
      '$9,000,000,000.00',
    );
  });

  it('tells what there is, and for how many requests it is enough', async () => {
    const user = await console.addUser({ money: '10.005' });
    const { page } = await console.visit('/wallet', { user });
    const head = page.getByRole('region', { name: 'Available' });
    await expect(head).toContainText('$10.0050');
    await expect(head).toContainText('250 requestsgen-image-2.5-flare$0.04 per request');
    await expect(head).toContainText('Ask an administrator to add funds.');
  });

  it('a refund leads to the charge that it returns, and back', async () => {
    const { user, traceId } = await somebodyWithAHistory(console);
    const { page } = await console.visit('/wallet?kind=refund', { user });
    await rowsOf(page).first().getByRole('link').first().click();
    const panel = page.getByRole('dialog', { name: 'Transaction' });
    await expect(panel).toContainText('Refund +$0.01');
    await expect(panel).toContainText('blurred');
    await expect(panel.getByRole('link', { name: `Trace ID ${traceId}` })).toBeVisible();
    expect(await termOf(panel, 'Returns the charge of')).toContain('−$0.04');
    await panel.locator('dd', { hasText: '−$0.04' }).getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Transaction' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Charge −$0.04');
    await expect(page.getByRole('main')).toContainText('Partly reversed');
    expect(await termOf(page, 'Returned by')).toContain('+$0.01');
  });

  it('B61 the sign of a change is written, and never told by colour alone', async () => {
    const { user } = await somebodyWithAHistory(console);
    const { page } = await console.visit('/wallet', { user });
    expect(await columnOf(page, 'Amount')).toEqual([
      '+$2.500000',
      '−$1.000001',
      '+$0.010000',
      '−$0.040000',
      '−$0.040000',
      '+$10.000000',
    ]);
  });

  it('B57 the file has every entry, in the zone of the page', async () => {
    const { user } = await somebodyWithAHistory(console);
    const { page } = await console.visit('/wallet?tz=Asia/Shanghai', { user });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^wallet_.*_Asia-Shanghai\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(/^"?[\d-]+T[\d:.]+Z"?,"?[\d-]+T[\d:.]+\+08:00"?,/);
  });

  it('draws the balance in steps, with the same as a table', async () => {
    const { user } = await somebodyWithAHistory(console);
    const { page } = await console.visit('/wallet?range=7d', { user });
    await expect(page.getByRole('img', { name: 'From $0.00 to $11.429999' })).toBeVisible();
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = page.getByRole('region', { name: 'Show as table' }).locator('tbody tr');
    await expect(rows).toHaveCount(7);
    await expect(rows.last()).toContainText('$11.429999');
  });

  it('is empty with whom to ask', async () => {
    const user = await console.addUser({ money: '0' });
    const { page } = await console.visit('/wallet', { user });
    await expect(page.getByText('No transactions yet.')).toBeVisible();
    await page.goto('/wallet?kind=charge');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(`${console.app.baseUrl}/wallet`);
  });

  it('shows entries in two lines on a phone', async () => {
    const { user } = await somebodyWithAHistory(console);
    const { page } = await console.visit('/wallet', { user, size: 'phone' });
    await expect(rowsOf(page).first()).toContainText('Top-up');
    await expect(await cell(page, rowsOf(page).first(), 'Amount')).toBeVisible();
    await expect(await cell(page, rowsOf(page).first(), 'Note')).toBeHidden();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

/** Six entries, of every kind. */
async function somebodyWithAHistory(
  console: ConsoleBench,
): Promise<{ user: TestUser; traceId: string }> {
  const user = await console.addUser({ money: '10' });
  const { app } = console;
  const { admin, database } = app;
  const traceId = await makeImage(app, user);
  await makeImage(app, user);
  await database.transaction((trx) => markDelivered(trx, [traceId], admin.clock.now()));
  const because = { ...admin, reason: 'blurred' };
  await refundCharge(because, { traceId, amount: amount('0.01') });
  await adjustWallet({ ...admin, reason: 'fee' }, { user: user.id, amount: amount('-1.000001') });
  await topUpWallet({ ...admin, reason: null }, { user: user.id, amount: amount('2.5') });
  return { user, traceId };
}
