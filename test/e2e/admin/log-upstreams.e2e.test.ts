/** The usage log by upstream. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { addUsageDay } from '../../support/history/usage-rows.ts';
import { violationsOf } from '../support/axe.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';

describeConsole((console) => {
  const model = 'gen-image-2.5-flare';
  const addCaller = async () => {
    const user = await console.addUser();
    for (const prompt of ['a boat', '[[fail=unavailable]] [[times=1]] a boat']) {
      const made = await console.app.post('/v1/images/generations', user, { model, prompt });
      expect(made.status).toBe(200);
      await made.arrayBuffer();
    }
    return user;
  };
  const admin = async () => ({ user: await console.addUser({ role: 'admin' }) });

  it('is found from the upstreams, and says what each earned, how often it failed and how long it took', async () => {
    const user = await addCaller();
    const { page } = await console.visit('/admin/upstreams', await admin());
    await page.getByRole('link', { name: 'Requests by upstream' }).click();
    await expect(page).toHaveURL(/\/admin\/log\?group=upstream$/);
    await page.getByLabel('User', { exact: true }).fill(user.email);
    const rows = tableOf(page).getByRole('row');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1).getByRole('cell')).toHaveText(
      ['sandbox', model, '2', '3', '1 · 33.3%', /sec|ms/, '2', '$0.08', '$0.00', '$0.08'],
      { useInnerText: true },
    );
    expect(await violationsOf(page)).toEqual([]);
  });

  it('leads to the upstream, to its requests, and back to all of them', async () => {
    const user = await addCaller();
    const path = `/admin/log?group=upstream&user=${user.email}`;
    const { page } = await console.visit(path, await admin());
    await expect(tableOf(page).getByRole('link', { name: 'sandbox' })).toHaveAttribute(
      'href',
      /^\/admin\/upstreams\/up/,
    );
    await tableOf(page).getByRole('link', { name: '2', exact: true }).click();
    await expect(page).toHaveURL(
      `/admin/log?user=${encodeURIComponent(user.email)}&model=${model}&upstream=sandbox`,
    );
    await expect(page.getByRole('table', { name: 'Usage log' }).getByRole('row')).toHaveCount(3);
    await page.getByText('By upstream', { exact: true }).click();
    await expect(tableOf(page)).toBeVisible();
    await page.getByRole('radiogroup', { name: 'Show' }).getByText('Requests').click();
    await expect(page.getByRole('table', { name: 'Usage log' })).toBeVisible();
  });

  it('says on a phone too how many requests there were and how long they took, and leads to them', async () => {
    const user = await addCaller();
    const path = `/admin/log?group=upstream&user=${user.email}`;
    const { page } = await console.visit(path, { ...(await admin()), size: 'phone' });
    const row = tableOf(page).getByRole('row').nth(1);
    await expect(row).toHaveText(/2 requests.*Attempts 3.*Median time [\d.]+ (ms|sec)/s, {
      useInnerText: true,
    });
    expect(await violationsOf(page)).toEqual([]);
    await row.getByRole('link', { name: '2 requests' }).click();
    await expect(page).toHaveURL(/upstream=sandbox$/);
  });

  it('says on a phone that no upstream was called, and nothing of attempts', async () => {
    const user = await console.addUser({ money: '0' });
    const refused = await console.app.post('/v1/images/generations', user, { model, prompt: 'a' });
    expect(refused.status).toBe(429);
    const path = `/admin/log?group=upstream&user=${user.email}`;
    const { page } = await console.visit(path, { ...(await admin()), size: 'phone' });
    const row = tableOf(page).getByRole('row').nth(1);
    await expect(row).toHaveText(/None was called.*1 request/s, { useInnerText: true });
    await expect(row).not.toHaveText(/Attempts/, { useInnerText: true });
  });

  it('says of which requests nobody knows any more which upstream was called', async () => {
    const user = await addCaller();
    await addUsageDay(console.app.database, {
      userId: user.id,
      day: '2024-01-02',
      records: 60_000,
    });
    const days = 'from=2024-01-01&to=2024-01-31&tz=UTC';
    const path = `/admin/log?group=upstream&user=${user.email}`;
    const { page } = await console.visit(`${path}&${days}`, await admin());
    await expect(page.getByText('only the sums are still kept')).toBeVisible();
    await expect(page.getByText('60,000 older requests are in the totals above')).toBeVisible();
    await expect(page.getByText('which are kept for 400 days')).toBeVisible();
    await page.goto(path);
    await expect(tableOf(page)).toBeVisible();
    await expect(page.getByText('in the totals above')).toHaveCount(0);
  });

  it('says before that there are too many requests to compare, and asks for none', async () => {
    const user = await addCaller();
    const { page } = await console.visit('/admin/log', await admin());
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.route('**/api/console/admin/log?**', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), count: 200_001 } });
    });
    await page.goto(`/admin/log?group=upstream&user=${user.email}`);
    await expect(
      page.getByText('200,001 requests match; upstreams are compared over at most 200,000.'),
    ).toBeVisible();
    expect(asked.filter((url) => url.includes('/log/upstreams'))).toEqual([]);
  });
});

function tableOf(page: Page) {
  return page.getByRole('table', { name: 'By upstream' });
}
