/** One request: in the list as it comes, in its panel, and by its trace ID. */
import type { Locator, Page } from '@playwright/test';
import { it } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { browserOf } from '../support/console/console-user.ts';
import { addUsageRows, usageRow } from '../support/history/usage-rows.ts';
import { type ConsoleBench, describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { cell, columnOf, keysOf, makeImage, rowsOf } from './support/ledger-page.ts';
import { visitPlayground } from './support/playground-page.ts';
import { settle } from './support/settle.ts';

describeConsole((console) => {
  it('B52 a request is the same in usage, wallet and log, and each leads to the others', async () => {
    const viewer = await console.addUser({ role: 'admin' });
    const traceId = await makeImage(console.app, viewer);
    const request = { Model: 'gen-image-2.5-flare', Requests: '1' };
    const { page } = await console.visit('/usage', { user: viewer });
    const inUsage = { ...request, Cost: '$0.04', Status: 'Succeeded' };
    await expectCells(page, rowOfTrace(page, traceId), inUsage);

    await rowOfTrace(page, traceId).getByRole('link').first().click();
    const panel = page.getByRole('dialog');
    await expect(linkOfTrace(panel, traceId)).toHaveAttribute('href', `/t/${traceId}`);
    await panel.getByRole('link', { name: '−$0.04' }).click();
    await expectHeading(page, 'Transaction');
    await page.getByRole('link', { name: 'Back to Wallet' }).click();
    const inWallet = { Kind: 'Charge', ...request, Amount: '−$0.04', Status: 'Succeeded Settled' };
    await expectCells(page, rowOfTrace(page, traceId), inWallet);

    await rowOfTrace(page, traceId).getByRole('link').first().click();
    await expect(linkOfTrace(panel, traceId)).toHaveAttribute('href', `/t/${traceId}`);
    await panel.getByRole('link', { name: 'Open in usage' }).click();
    await expect(page).toHaveURL(`${console.app.baseUrl}/usage/${traceId}`);
    await page.getByRole('link', { name: 'Open in the usage log' }).click();
    await expect(page).toHaveURL(`${console.app.baseUrl}/admin/log/${traceId}`);
    await page.getByRole('link', { name: 'Back to Usage log' }).click();
    await expectCells(page, rowOfTrace(page, traceId), inUsage);

    await rowOfTrace(page, traceId).getByRole('link').first().click();
    await expect(linkOfTrace(panel, traceId)).toHaveAttribute('href', `/t/${traceId}`);
    await expect(panel.getByRole('link', { name: 'Open in usage' })).toHaveAttribute(
      'href',
      `/usage/${traceId}`,
    );
    await panel.getByRole('link', { name: '−$0.04' }).click();
    await expectHeading(page, 'Transaction');
    await linkOfTrace(page, traceId).click();
    // Who may see the log is led there.
    await expect(page).toHaveURL(`${console.app.baseUrl}/admin/log/${traceId}`);
  });

  it('B52 a user is led from the wallet to the own usage, and sees no log', async () => {
    const user = await console.addUser();
    const traceId = await makeImage(console.app, user);
    const { page } = await console.visit('/wallet', { user });
    await linkOfTrace(rowOfTrace(page, traceId), traceId).click();
    await expect(page).toHaveURL(`${console.app.baseUrl}/usage/${traceId}`);
    await expect(page.getByText('Charged $0.04')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open in the usage log' })).toBeHidden();
  });

  it('B62 what failed or was cancelled costs nothing and says so', async () => {
    const user = await console.addUser({ money: '0' });
    const owner = { userId: user.id };
    const now = Date.now();
    await addUsageRows(console.app.database, [
      usageRow(owner, now - 1_000, { status: 'failed', code: 'upstream_error' }),
      usageRow(owner, now - 2_000, { status: 'canceled', code: 'client_gone' }),
      usageRow(owner, now - 3_000),
    ]);
    const { page } = await console.visit('/usage', { user });
    expect((await columnOf(page, 'Cost')).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      '$0.00 not billed',
      '$0.00 not billed',
      '$0.04',
    ]);
    expect((await columnOf(page, 'Status')).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Failed Upstream error',
      'Cancelled',
      'Succeeded',
    ]);
    await page.getByRole('link', { name: 'Not billed' }).click();
    await expect(rowsOf(page)).toHaveCount(2);
    await rowsOf(page).first().getByRole('link').first().click();
    const panel = page.getByRole('dialog', { name: 'Request' });
    await expect(panel).toContainText('$0.00 · not billed');
    await expect(panel).toContainText('The image service behind this one failed.');
  });

  it('B63 new requests wait above the rows until they are wanted', async () => {
    const user = await console.addUser({ money: '0' });
    const owner = { userId: user.id };
    const old = [usageRow(owner, Date.now() - 60_000), usageRow(owner, Date.now() - 30_000)];
    await addUsageRows(console.app.database, old);
    const { page } = await openWithClock(console, user);
    await expect(rowsOf(page)).toHaveCount(2);
    await page.clock.runFor(1_000);
    await settle(page);
    const pointed = rowsOf(page).first();
    await pointed.hover();
    const before = must(await pointed.boundingBox(), 'a row');
    const shown = await keysOf(page);
    await addUsageRows(console.app.database, [
      usageRow(owner, Date.now() - 2_000),
      usageRow(owner, Date.now() - 1_000),
    ]);
    await page.clock.runFor(61_000);
    await expect(page.getByText('2 new requests.')).toBeVisible();
    expect(await keysOf(page)).toEqual(shown);
    expect(await pointed.boundingBox()).toEqual(before);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(rowsOf(page)).toHaveCount(4);
    await expect(page.getByText('new requests.')).toBeHidden();
  });

  it('says of a request of this page that it has ended, as soon as it has', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.generate('a fox [[delay=9s]] [[first=1s]]');
    await expect(playground.state('Running')).toBeVisible();
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await expect(rowsOf(page).first()).toContainText('Running');
    await expect(rowsOf(page).first()).toContainText('Succeeded');
  });

  it('B75 closing the panel returns to the row that opened it', async () => {
    const user = await console.addUser({ money: '0' });
    const rows = [1, 2, 3].map((n) => usageRow({ userId: user.id }, Date.now() - n * 1_000));
    await addUsageRows(console.app.database, rows);
    const { page } = await console.visit('/usage?range=7d', { user });
    const link = rowsOf(page).nth(1).getByRole('link').first();
    await link.click();
    await expect(page.getByRole('dialog', { name: 'Request' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page).toHaveURL(`${console.app.baseUrl}/usage?range=7d`);
    await expect(link).toBeFocused();
  });

  it('B26 a trace ID leads to its record, or says that there is none', async () => {
    const user = await console.addUser();
    const stranger = await console.addUser();
    const traceId = await makeImage(console.app, user, { prompt: '[[fail=unavailable]] a fox' });
    const { page } = await console.visit(`/t/${traceId}`, { user });
    await expect(page).toHaveURL(`${console.app.baseUrl}/usage/${traceId}`);
    await expect(page.getByText('Not billed').first()).toBeVisible();
    const { page: foreign } = await console.visit(`/t/${traceId}`, { user: stranger });
    await expect(foreign.getByText('Not found')).toBeVisible();
    await expect(foreign.getByRole('main')).toContainText(traceId);
  });

  it('copies for support what finds the request, and nothing else', async () => {
    const user = await console.addUser();
    const traceId = await makeImage(console.app, user);
    const { page, context } = await console.visit(`/usage/${traceId}`, { user });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy support text' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const { body } = await (await browserOf(console.app, user.id)).get(`/usage/${traceId}`);
    const { started_at: at } = body as { started_at: string };
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe([traceId, at, 'gen-image-2.5-flare'].join('\n'));
  });
});

function rowOfTrace(page: Page, traceId: string): Locator {
  return rowsOf(page).filter({ hasText: traceId });
}

function linkOfTrace(within: Page | Locator, traceId: string): Locator {
  return within.getByRole('link', { name: `Trace ID ${traceId}` });
}

async function expectCells(
  page: Page,
  row: Locator,
  cells: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [heading, text] of Object.entries(cells)) {
    const shown = await cell(page, row, heading);
    await expect(shown, heading).toHaveText(text, { useInnerText: true });
  }
}

async function expectHeading(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** The same page under a clock that the test moves. */
async function openWithClock(console: ConsoleBench, user: { id: string }) {
  const visit = await console.visit('/quickstart', { user });
  await visit.page.clock.install();
  await visit.page.goto('/usage');
  await visit.page.getByRole('heading', { level: 1 }).waitFor();
  return visit;
}
