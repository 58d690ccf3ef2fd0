/** How the balance becomes more: by a payment that somebody comes back from, and by a code. */
import { afterAll, it } from 'vitest';
import { createCodes } from '../../server/flows/payments/create-codes.ts';
import { must } from '../../server/lib/assert.ts';
import { amount } from '../support/console/test-admin.ts';
import { StripeService, sendEvent, sessionObject } from '../support/money/stripe-service.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { holdRequest } from './support/held-request.ts';
import { loseAnswer } from './support/lose-answer.ts';
import { walkTo } from './support/walk.ts';

const stripe = await StripeService.start();
afterAll(() => stripe.stop());

describeConsole(
  (console) => {
    const newest = () => must(stripe.sessions.at(-1), 'a page that was opened');
    const confirm = (changes: object = {}) =>
      sendEvent(console.app.baseUrl, {
        type: 'checkout.session.completed',
        object: sessionObject(newest(), changes),
        atMs: Date.now(),
      });

    /** Somebody who has typed a code of 20. */
    const enterCode = async (note: string | null = null) => {
      const order = { amount: amount('20'), count: 1, note, expiresAt: null, prefix: 'tin' };
      const { secrets } = await createCodes(console.app.admin, order);
      const code = must(secrets[0], 'a code');
      const user = await console.addUser({ money: '1' });
      const { page } = await console.visit('/wallet', { user });
      const form = page.getByRole('form', { name: 'Redeem a code' });
      await form.getByLabel('Code').fill(code);
      return { code, page, form, user };
    };

    it('leads to the page where one pays, and back, and waits for the confirmation', async () => {
      const user = await console.addUser({ money: '1' });
      const { page } = await console.visit('/wallet', { user });
      // The provider's page, on which somebody pays and is sent back.
      await page.context().route(`${stripe.url}/pay/**`, async (route) => {
        const location = must(newest().fields['success_url'], 'where to come back');
        await route.fulfill({ status: 303, headers: { location } });
      });
      const form = page.getByRole('form', { name: 'Pay online' });
      await form.getByRole('button', { name: 'Pay' }).click();
      await expect(form.getByText('Write an amount from $5.00 to $500.00.')).toBeVisible();
      await form.getByLabel('Amount to pay').fill('12.50');
      await form.getByRole('button', { name: 'Pay $12.50' }).click();

      const status = page.getByRole('status', { name: 'Your payment' });
      await expect(status).toContainText('Waiting for the confirmation of $12.50.');
      await expect(page).toHaveURL(/\/wallet\?payment=pay_/);
      await expect(page.getByRole('region', { name: 'Available' })).toContainText('$1.00');
      await confirm();
      await expect(status).toContainText('$12.50 was added to your wallet.');
      await expect(page.getByRole('region', { name: 'Available' })).toContainText('$13.50');
      const entry = page.getByRole('row', { name: /Top-up/ }).first();
      await expect(entry).toContainText('+$12.50');
      await expect(entry).toContainText('Paid by Stripe');
      await status.getByRole('link', { name: 'See the entry' }).click();
      await expect(page.getByText(/Stripe, payment pay_/).last()).toBeVisible();
    });

    it('does not say of a payment whose report is missing that it was not made', async () => {
      const user = await console.addUser({ money: '1' });
      const { page } = await console.visit('/wallet', { user });
      await page
        .context()
        .route(`${stripe.url}/pay/**`, (route) => route.fulfill({ body: 'paid' }));
      const form = page.getByRole('form', { name: 'Pay online' });
      await form.getByLabel('Amount to pay').fill('8');
      await form.getByRole('button', { name: 'Pay $8.00' }).click();
      await expect(page.getByText('paid')).toBeVisible();
      // As if the service had been away since.
      await console.app.database.kysely
        .updateTable('payments')
        .set({ expires_at: 1 })
        .where('user_id', '=', user.id)
        .execute();
      await page.goto(must(newest().fields['success_url'], 'where to come back'));
      const status = page.getByRole('status', { name: 'Your payment' });
      await expect(status).toContainText('No payment of $8.00 was confirmed in time');
      await expect(status).toContainText('If you have paid');
      await confirm();
      await page.reload();
      await expect(status).toContainText('$8.00 was added to your wallet.');
    });

    it('does not lead somebody there who went on meanwhile', async () => {
      const { page } = await console.visit('/wallet', { user: await console.addUser() });
      const held = await holdRequest(page, '**/api/console/wallet/payments');
      await page.getByLabel('Amount to pay').fill('5');
      await page.getByRole('button', { name: 'Pay $5.00' }).click();
      await held.wasMade();
      await walkTo(page, '/usage');
      await held.letGo();
      await expect(page).toHaveURL('/usage');
    });

    it('says that nothing was added when another amount was paid', async () => {
      const user = await console.addUser({ money: '1' });
      const { page } = await console.visit('/wallet', { user });
      await page.context().route(`${stripe.url}/pay/**`, async (route) => {
        const location = must(newest().fields['success_url'], 'where to come back');
        await route.fulfill({ status: 303, headers: { location } });
      });
      const form = page.getByRole('form', { name: 'Pay online' });
      await form.getByLabel('Amount to pay').fill('20');
      await form.getByRole('button', { name: 'Pay $20.00' }).click();
      const status = page.getByRole('status', { name: 'Your payment' });
      await expect(status).toContainText('Waiting');
      await confirm({ amount_total: 100 });
      await expect(status).toContainText('nothing was added yet');
      await status.getByRole('button', { name: 'Close' }).click();
      await expect(status).toBeHidden();
      await expect(page).toHaveURL(/\/wallet$/);

      const admin = await console.addUser({ role: 'admin' });
      const theirs = await console.visit('/admin/payments', { user: admin });
      await expect(theirs.page.getByRole('link', { name: /Payments 1/ })).toBeVisible();
      const row = theirs.page.getByRole('row', { name: new RegExp(user.email) });
      await expect(row).toContainText('Another amount was paid');
      const { page: small } = await console.visit('/admin/payments', {
        user: admin,
        size: 'phone',
      });
      // Beside the problem, and none of it cut off.
      await expect(small.locator('time').first()).toBeInViewport({ ratio: 1 });
      const { page: second } = await console.visit('/admin/payments', {
        user: await console.addUser({ role: 'admin' }),
      });
      await second.getByRole('button', { name: 'Settle' }).click();
      await row.getByRole('button', { name: 'Settle' }).click();
      const dialog = theirs.page.getByRole('dialog', { name: 'Settle the problem?' });
      await dialog.getByRole('button', { name: 'It is settled' }).click();
      await expect(dialog.getByText('This has to be filled in.')).toBeVisible();
      await dialog.getByLabel('What was done').fill('Sent the money back');
      await dialog.getByRole('button', { name: 'It is settled' }).click();
      await expect(row).toContainText('(settled)');
      await expect(theirs.page.getByRole('link', { name: 'Payments', exact: true })).toBeVisible();

      await second.getByLabel('What was done').fill('Asked the bank');
      await second.getByRole('button', { name: 'It is settled' }).click();
      const late = second.getByRole('dialog', { name: 'It was settled already' });
      await expect(late).toContainText('What you wrote was not noted.');
      await expect(late).toContainText(admin.email);
      await expect(late).toContainText('Sent the money back');
      await late.getByRole('button', { name: 'Close' }).last().click();
      await expect(late).toBeHidden();
      await expect(second.getByRole('row', { name: new RegExp(user.email) })).toContainText(
        '(settled)',
      );
    });

    it('redeems a code once, and says what is wrong with another', async () => {
      const order = { amount: amount('20'), count: 1, note: null, expiresAt: null, prefix: 'tin' };
      const { secrets } = await createCodes(console.app.admin, order);
      const code = must(secrets[0], 'a code');
      const user = await console.addUser({ money: '1' });
      const { page } = await console.visit('/wallet', { user });
      const form = page.getByRole('form', { name: 'Redeem a code' });
      await form.getByLabel('Code').fill(`${code.slice(0, -1)}!`);
      await form.getByRole('button', { name: 'Redeem' }).click();
      await expect(form.getByText('look for a typing mistake')).toBeVisible();
      await expect(form.getByLabel('Code')).toBeFocused();
      await form.getByLabel('Code').fill(code.toLowerCase());
      await form.getByRole('button', { name: 'Redeem' }).click();
      await expect(form.getByRole('status')).toContainText('$20.00 was added.');
      await expect(page.getByRole('region', { name: 'Available' })).toContainText('$21.00');
      await expect(form.getByLabel('Code')).toHaveValue('');
      const entry = page.getByRole('row', { name: /Top-up/ }).first();
      await expect(entry).toContainText(`Code ending ${code.slice(-4)}`);
      await form.getByLabel('Code').fill(code);
      await form.getByRole('button', { name: 'Redeem' }).click();
      await expect(form.getByText('You have redeemed this code already.')).toBeVisible();
    });

    it('tells in the language of the page where an entry came from, and as its note what was written', async () => {
      const { code, form, user } = await enterCode('spring fair');
      await form.getByRole('button', { name: 'Redeem' }).click();
      await expect(form.getByRole('status')).toContainText('$20.00 was added.');
      const { page: chinese } = await console.visit('/wallet', { user, language: 'zh-CN' });
      await chinese.getByRole('row', { name: /充值/ }).first().getByRole('link').first().click();
      const panel = chinese.getByRole('dialog', { name: '交易' });
      await expect(panel).toContainText(`兑换码，尾号 ${code.slice(-4)}`);
      await expect(panel).toContainText('spring fair');
      await expect(panel).not.toContainText('Code ending');
    });

    it('shows that a code was redeemed whose answer got lost, and says so when asked again', async () => {
      const { code, page, form } = await enterCode();
      await loseAnswer(page, '**/api/console/wallet/codes');
      await form.getByRole('button', { name: 'Redeem' }).click();
      await expect(form.getByRole('alert')).toContainText('cannot be reached');
      await expect(page.getByRole('region', { name: 'Available' })).toContainText('$21.00');
      await expect(page.getByRole('row', { name: /Top-up/ }).first()).toContainText(
        `Code ending ${code.slice(-4)}`,
      );
      await form.getByRole('button', { name: 'Redeem' }).click();
      await expect(form.getByText('You have redeemed this code already.')).toBeVisible();
    });

    it('keeps a code that was typed when the service is away', async () => {
      const { code, page, form } = await enterCode();
      await page.route('**/api/console/wallet**', (route) => route.abort('connectionreset'));
      await form.getByRole('button', { name: 'Redeem' }).click();
      await expect(page.getByText('The wallet could not be loaded')).toBeVisible();
      await expect(form.getByLabel('Code')).toHaveValue(code);
      await page.unrouteAll();
      await form.getByRole('button', { name: 'Redeem' }).click();
      await expect(form.getByRole('status')).toContainText('$20.00 was added.');
      await expect(page.getByRole('region', { name: 'Available' })).toContainText('$21.00');
    });
  },
  // Whoever pays leaves for the provider's page.
  {
    config: stripe.options,
    expectedMessages: /400|ERR_CONNECTION_RESET|elsewhere: http:\S+\/pay\/cs_test/,
  },
);

describeConsole((console) => {
  it('offers no payment where nobody set one up', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/wallet', { user });
    await expect(page.getByRole('form', { name: 'Redeem a code' })).toBeVisible();
    await expect(page.getByRole('form', { name: 'Pay online' })).toHaveCount(0);
  });
});
