/** Tables on a phone: nothing that one has to know is left out there. */
import { it } from 'vitest';
import { noteChange } from '../../server/flows/admin-change.ts';
import { addModel } from '../../server/flows/models/add-model.ts';
import { adjustWallet } from '../../server/flows/money/adjust-wallet.ts';
import { amount } from '../support/console/test-admin.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { makeImage, rowsOf } from './support/ledger-page.ts';

describeConsole((console) => {
  const visit = async (path: string) => {
    const admin = await console.addUser({ role: 'admin' });
    return (await console.visit(path, { user: admin, size: 'phone' })).page;
  };

  it('shows who a payment went through, and what was withdrawn of it and is missing', async () => {
    const { kysely } = console.app.database;
    const user = await console.addUser();
    const payment = { id: 'pay_1', user_id: user.id, currency: 'USD', created_at: 1 };
    await kysely
      .insertInto('payments')
      .values({ ...payment, provider: 'stripe', amount: 20_000_000, state: 'paid', ended_at: 1 })
      .execute();
    await kysely
      .insertInto('payment_reversals')
      .values({
        payment_id: payment.id,
        kind: 'refund',
        reference: 'ch_1',
        amount: 15_000_000,
        deducted: 11_000_000,
        created_at: 1,
      })
      .execute();
    const page = await visit('/admin/payments');
    const row = rowsOf(page);
    for (const text of ['Stripe', 'Withdrawn $15.00', 'Missing $4.00']) {
      await expect(row.getByText(text)).toBeInViewport({ ratio: 1 });
    }
  });

  it('shows the model and the note of an entry in the ledger of a user', async () => {
    const user = await console.addUser({ money: '5' });
    const note = `Sent back by the bank. ${'0123456789'.repeat(8)}`;
    const admin = { ...console.app.admin, reason: note };
    await adjustWallet(admin, { user: user.id, amount: amount('-2') });
    await makeImage(console.app, user);
    const page = await visit(`/admin/users/${user.id}?tab=wallet`);
    const written = rowsOf(page).getByText(note);
    await written.scrollIntoViewIfNeeded();
    await expect(written).toBeInViewport({ ratio: 1 });
    await expect(written).toHaveCSS('white-space', 'normal');
    await expect(rowsOf(page).getByText('gen-image-2.5-flare').first()).toBeVisible();
  });

  it('shows what each API key cost lately, and when it was used last', async () => {
    const user = await console.addUser();
    await makeImage(console.app, user);
    const { page } = await console.visit('/keys', { user, size: 'phone' });
    const row = rowsOf(page).filter({ hasText: 'sk-' });
    await expect(row).toHaveText(/Spend, 30 days \$0\.04.*Last used \d+ \w+ \d{4}/s, {
      useInnerText: true,
    });
  });

  it('shows the limits of an API key that has some', async () => {
    const user = await console.addUser();
    const limits = {
      slotsMax: null,
      spendMax: amount('20'),
      monthlySpendMax: amount('5'),
      zone: 'UTC',
    };
    await console.app.addKey(user.id, { name: 'web shop', limits });
    const { page } = await console.visit('/keys', { user, size: 'phone' });
    const row = rowsOf(page).filter({ hasText: 'web shop' });
    await expect(row).toHaveText(/Spend limit \$5\.00 a month, \$20\.00 in total/, {
      useInnerText: true,
    });
  });

  it('leads from an API key in the audit to its user', async () => {
    const { id } = await console.addUser();
    await console.app.addKey(id, { name: 'night batch' });
    const page = await visit('/admin/audit');
    await rowsOf(page).getByRole('link', { name: 'night batch' }).click();
    await expect(page).toHaveURL(`/admin/users/${id}?tab=keys`);
    await expect(page.getByRole('table').getByText('night batch')).toBeVisible();
  });

  it('shows all of the name of what was changed, however long it is', async () => {
    const id = `${'a-model-of-a-long-name-'.repeat(3)}2026`;
    await addModel(console.app.admin, { id, description: '', extendedQualities: false });
    const page = await visit('/admin/audit');
    const name = rowsOf(page).getByTitle(id).first();
    await name.waitFor();
    expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  });

  it('shows all of what was done, however long its name is', async () => {
    const longest = { action: 'user.renew_recovery_codes', subject: 'all' };
    const by = { actor: 'cli:a-program-of-a-long-name', reason: null, nowMs: Date.now() };
    await console.app.database.transaction((trx) =>
      noteChange(trx, { ...longest, detail: {}, topic: null }, by),
    );
    const page = await visit('/admin/audit');
    const action = rowsOf(page).locator('code').filter({ hasText: longest.action });
    await action.waitFor();
    const [hidden, right] = await action.evaluate((text) => {
      const cell = text.closest('td, th') ?? text;
      return [
        cell.scrollWidth - cell.clientWidth,
        text.getBoundingClientRect().right - cell.getBoundingClientRect().right,
      ];
    });
    expect(hidden).toBe(0);
    expect(right).toBeLessThanOrEqual(0);
  });
});

describeConsole((console) => {
  it('begins all that the audit says of a change at the first line of its row', async () => {
    const admin = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/audit', { user: admin });
    const row = rowsOf(page).filter({ hasText: 'api_key.issue' }).first();
    await row.waitFor();
    const tops = await row.evaluate((line) =>
      ['time', 'code', 'dt'].map(
        (part) => line.querySelector(part)?.getBoundingClientRect().top ?? 0,
      ),
    );
    // Apart by what letters of different fonts differ, at most.
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4);
  });

  it('does not say in the audit what a new API key was not given', async () => {
    const admin = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/audit', { user: admin });
    const row = rowsOf(page).filter({ hasText: 'api_key.issue' }).first();
    await expect(row).toContainText('name');
    await expect(row).not.toContainText('monthly_limit');
    await expect(row).not.toContainText('nothing');
  });
});
