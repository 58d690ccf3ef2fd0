/** The usage log and the audit. */
import type { Locator } from '@playwright/test';
import { it } from 'vitest';
import { addModel } from '../../../server/flows/models/add-model.ts';
import { must } from '../../../server/lib/assert.ts';
import { addUsageDay, addUsageRows, usageRow } from '../../support/history/usage-rows.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { rowsOf } from '../support/ledger-page.ts';

describeConsole((console) => {
  it('shows each attempt of a request, its hold and its charge', async () => {
    const user = await console.addUser();
    const made = await console.app.post('/v1/images/generations', user, {
      model: 'gen-image-2.5-flare',
      prompt: '[[fail=unavailable]] [[times=1]] a boat',
    });
    expect(made.status).toBe(200);
    const traceId = made.headers.get('x-request-id');
    const { page } = await console.visit(`/admin/log?user=${user.email}`, {
      user: await console.addUser({ role: 'admin' }),
    });
    const row = page.getByRole('row', { name: new RegExp(user.email) });
    await expect(row).toHaveCount(1);
    await expect(row).toContainText('Succeeded');
    await row.getByRole('link').first().click();
    const panel = page.getByRole('dialog', { name: 'Request' });
    await expect(page).toHaveURL(new RegExp(`/admin/log/${traceId}`));
    const attempts = panel.getByRole('region', { name: 'Route' }).getByRole('row');
    await expect(attempts).toHaveCount(3);
    await expect(attempts.nth(1)).toContainText('Not reachable');
    await expect(attempts.nth(2)).toContainText('Made the image');
    await expect(panel).toContainText('$0.04 · settled');
    expect(await brokenWordsOf(attempts.nth(2).locator('td code').first())).toEqual([]);
    const facts = panel.getByRole('definition');
    await expect(facts.getByRole('link', { name: 'gen-image-2.5-flare' })).toHaveAttribute(
      'href',
      '/admin/models/gen-image-2.5-flare',
    );
    for (const place of [facts, attempts.nth(1), attempts.nth(2)]) {
      const link = place.getByRole('link', { name: 'sandbox', exact: true });
      await expect(link).toHaveAttribute('href', /^\/admin\/upstreams\/up\w+$/);
    }
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(row.getByRole('link').first()).toBeFocused();
    await expect(page).toHaveURL(/\/admin\/log\?user=/);
  });

  it('names an upstream and a model that are gone without leading to them', async () => {
    const user = await console.addUser();
    const model = 'long-gone';
    const attempts = JSON.stringify([{ attempt: 1, upstream: 'old one', fault: 'unavailable' }]);
    const gone = { model, attempts, status: 'failed', code: 'upstream_error' } as const;
    const row = usageRow({ userId: user.id }, Date.now() - 60_000, gone);
    await addUsageRows(console.app.database, [row]);
    const { page } = await console.visit(`/admin/log/${row.trace_id}`, {
      user: await console.addUser({ role: 'admin' }),
    });
    const facts = page.getByRole('definition');
    for (const name of [model, 'old one']) {
      await expect(facts.getByText(name, { exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
    }
  });

  it.each([
    ['the log', (email: string) => `/admin/log?user=${email}&`],
    ['the page of a user', (_email: string, id: string) => `/admin/users/${id}?tab=usage&`],
  ])('in %s does not deny requests of which only the sums are kept', async (_where, path) => {
    const user = await console.addUser({ money: '0' });
    const kept = { userId: user.id, day: '2024-01-02', records: 60_000 };
    await addUsageDay(console.app.database, kept);
    const days = 'from=2024-01-01&to=2024-01-31&tz=UTC';
    const { page } = await console.visit(`${path(user.email, user.id)}${days}`, {
      user: await console.addUser({ role: 'admin' }),
    });
    await expect(page.getByText('60,000').first()).toBeVisible();
    await expect(page.getByText('only the sums are still kept')).toBeVisible();
  });

  it('names the models to choose from below each other, however long a name is', async () => {
    const long = `${'a-model-of-a-long-name-'.repeat(3)}2026`;
    await addModel(console.app.admin, { id: long, description: '', extendedQualities: false });
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/log', { user });
    await page.getByRole('combobox', { name: 'Model' }).click();
    const leftOf = async (name: string) => {
      const text = page.getByRole('option', { name }).getByText(name);
      return must(await text.boundingBox(), 'a model that is seen').x;
    };
    expect(await leftOf(long)).toBe(await leftOf('gen-image-2.5-flare'));
  });

  it('refunds a charge once, with its reason', async () => {
    const user = await console.addUser({ money: '1' });
    const made = await console.app.post('/v1/images/generations', user, {
      model: 'gen-image-2.5-flare',
      prompt: 'a boat',
    });
    await made.arrayBuffer();
    const { page } = await console.visit(`/admin/log/${made.headers.get('x-request-id')}`, {
      user: await console.addUser({ role: 'admin' }),
    });
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund this charge?' });
    await dialog.getByLabel('Amount').fill('0.05');
    await dialog.getByLabel('Reason').fill('came out wrong');
    await dialog.getByRole('button', { name: /^Refund/ }).click();
    await expect(dialog.getByLabel('Amount')).toBeFocused();
    await dialog.getByLabel('Amount').fill('0.01');
    await dialog.getByRole('button', { name: 'Refund $0.01' }).click();
    await expect(page.getByText('$0.01 refunded. The balance is $0.97 now.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Refund', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });

  it('keeps every filter of the log in its address', async () => {
    const admin = await console.addUser({ role: 'admin' });
    const address =
      '/admin/log?range=7d&user=nobody%40example.com&model=gen-image-2&upstream=sandbox&op=edit&status=failed&code=rate_limit&slow=3&trace=tr_x';
    const { page } = await console.visit(address, { user: admin });
    await expect(page.getByText('No requests match.')).toBeVisible();
    for (const name of ['Model', 'Upstream', 'Operation', 'Status', 'Code']) {
      await expect(page.getByRole('combobox', { name, exact: true })).not.toHaveText('Any');
    }
    await expect(page.getByLabel('Longer than', { exact: true })).toHaveValue('3');
    await expect(page.getByLabel('Trace ID', { exact: true })).toHaveValue('tr_x');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(/\/admin\/log$/);
  });

  it('takes parts of a second for the least duration, and drops no digit', async () => {
    const { page } = await console.visit('/admin/log', {
      user: await console.addUser({ role: 'admin' }),
    });
    const field = page.getByLabel('Longer than', { exact: true });
    await field.pressSequentially('12.5s');
    await expect(field).toHaveValue('12.5');
    await expect(page).toHaveURL(/slow=12\.5$/);
    await expect(page.getByText('No requests match.')).toBeVisible();
    await field.fill('');
    await expect(page).toHaveURL(/\/admin\/log$/);
  });

  it.each(['desktop', 'phone'] as const)(
    'tells the requests of one user apart by their models, and not by whose they are, on a %s',
    async (size) => {
      const user = await console.addUser();
      const model = 'gen-image-2.5-flare';
      await console.app.post('/v1/images/generations', user, { model, prompt: 'a boat' });
      const { page } = await console.visit(`/admin/users/${user.id}?tab=usage`, {
        user: await console.addUser({ role: 'admin' }),
        size,
      });
      await expect(page.getByRole('table').getByText(model)).toBeVisible();
      await expect(page.getByRole('table').getByText(user.email)).toHaveCount(0);
    },
  );

  it('says in the audit why, also on a phone', async () => {
    const admin = { ...console.app.admin, reason: 'for the outage of last week' };
    await addModel(admin, { id: 'with-a-reason', description: '', extendedQualities: false });
    const { page } = await console.visit('/admin/audit?target=with-a-reason', {
      user: await console.addUser({ role: 'admin' }),
      size: 'phone',
    });
    await expect(rowsOf(page).first()).toBeVisible();
    await expect(page.getByText('for the outage of last week').first()).toBeVisible();
  });

  it('gives a long reason in the audit the room to be read', async () => {
    const user = await console.addUser({ role: 'admin', called: 'Somebody-with-a-long-address' });
    const reason = 'because of the outage of last week, '.repeat(12);
    const id = 'a-model-of-a-name-that-takes-the-room-it-gets';
    const description = 'Draws slowly and well, for whoever can wait';
    const admin = { ...console.app.admin, actor: user.id, reason };
    await addModel(admin, { id, description, extendedQualities: false });
    const { page } = await console.visit(`/admin/audit?target=${id}`, { user });
    const shown = rowsOf(page).first().locator('td').last().locator('span');
    await expect(shown).toContainText('the outage of last week');
    expect((await shown.boundingBox())?.width).toBeGreaterThan(190);
  });

  it('gives the changes of an audit entry the whole width of a phone', async () => {
    await addModel(console.app.admin, {
      id: 'wide-entry',
      description: '',
      extendedQualities: false,
    });
    const { page } = await console.visit('/admin/audit?target=wide-entry', {
      user: await console.addUser({ role: 'admin' }),
      size: 'phone',
    });
    const edges = await rowsOf(page)
      .first()
      .evaluate((row) => {
        const { paddingLeft, paddingRight } = getComputedStyle(row);
        const { left, right } = row.getBoundingClientRect();
        const shown = [...row.querySelectorAll('dl, td:not(:has(dl)) > span')]
          .filter((each) => each.checkVisibility())
          .map((each) => each.getBoundingClientRect());
        return {
          row: [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)],
          changes: shown.filter(({ width }) => width > 200).map((box) => [box.left, box.right]),
          // Who did it, and to what.
          ends: shown.slice(0, 2).map((box) => box.right),
        };
      });
    expect(edges.changes).toEqual([edges.row]);
    expect(edges.ends).toEqual([edges.row[1], edges.row[1]]);
  });

  it('says in the audit who changed which setting from what to what', async () => {
    const admin = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/settings/general', { user: admin });
    await page.getByLabel('Contact').fill('help@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Audit' }).click();
    const row = page.getByRole('row', { name: /setting\.change/ });
    await expect(row).toContainText(admin.email);
    await expect(row).toContainText('contact');
    await expect(row).toContainText('help@example.com');
  });
});

/** Parts of a name, between its hyphens, that stand on two lines. */
function brokenWordsOf(name: Locator): Promise<readonly string[]> {
  return name.evaluate((element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    return [...(text?.textContent ?? '').matchAll(/[^-\s]+/g)].flatMap((match) => {
      const [word] = match;
      const range = document.createRange();
      if (!text) return [];
      range.setStart(text, match.index);
      range.setEnd(text, match.index + word.length);
      return range.getClientRects().length > 1 ? [word] : [];
    });
  });
}
