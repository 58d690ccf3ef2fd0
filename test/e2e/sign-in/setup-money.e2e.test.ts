/** The opening balance is booked once, whatever becomes of the answers. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import type { Bootstrap } from '../../../shared/console/session.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { loseAnswer } from '../support/lose-answer.ts';
import { SetupWizard } from '../support/setup-wizard.ts';

describeConsole(
  (console) => {
    it('is there once when its answer was lost and the page loaded anew', async () => {
      const wizard = await SetupWizard.begin(console);
      const { page } = wizard;
      await wizard.skip('Models and prices');
      await wizard.skip('Your wallet');
      await loseAnswer(page, '**/wallet/orders');
      await page.getByRole('button', { name: 'Add $5.00' }).click();
      await expect(page.getByRole('alert')).toContainText('The service cannot be reached');
      await expect(page.getByText('Your wallet holds $5.00.')).toBeVisible();
      await page.reload();
      await wizard.fillWallet();
      expect(await balanceOf(page)).toBe('5.00');

      // What comes later is another top-up.
      await page.getByRole('button', { name: 'Back' }).click();
      await page.reload();
      await wizard.fillWallet();
      expect(await balanceOf(page)).toBe('10.00');

      // After the money came, the page may still miss what it asks for next.
      await page.getByRole('button', { name: 'Back' }).click();
      await page.route('**/api/console/bootstrap', (route) => route.abort('connectionreset'));
      await page.getByRole('button', { name: 'Add $5.00' }).click();
      await expect(page.getByRole('alert')).toContainText('The service cannot be reached');
      await page.unroute('**/api/console/bootstrap');
      await wizard.fillWallet();
      expect(await balanceOf(page)).toBe('15.00');
    });

    it('is told apart from another amount that was sent before, and can come on top', async () => {
      const { page } = await console.visit('/setup?step=wallet', {
        user: await console.addUser({ role: 'admin', money: '0' }),
      });
      await loseAnswer(page, '**/wallet/orders');
      await page.getByRole('button', { name: 'Add $5.00' }).click();
      await expect(page.getByText('Your wallet holds $5.00.')).toBeVisible();
      await page.getByLabel('Opening balance').fill('7');
      await page.getByRole('button', { name: 'Add $7.00' }).click();
      await expect(page.getByRole('alert')).toContainText('Nothing was added now');
      expect(await balanceOf(page)).toBe('5.00');
      await page.getByRole('button', { name: 'Add $7.00' }).click();
      await new SetupWizard(page).expectStep('First image');
      expect(await balanceOf(page)).toBe('12.00');
    });
  },
  { isBare: true, expectedMessages: /ERR_CONNECTION_RESET|400/ },
);

async function balanceOf(page: Page): Promise<string | undefined> {
  const answer = await page.request.get('/api/console/bootstrap');
  // As the schema of that route has it.
  return ((await answer.json()) as Bootstrap).user?.wallet.balance.text;
}
