/** Somebody without their authenticator, who signs in by the codes that they stored for that. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { hashRecoveryCode } from '../../../server/identity/recovery-code.ts';
import { useRecoveryCode } from '../../../server/identity/recovery-code-store.ts';
import { addMember } from '../../support/console/visitor.ts';
import { describeConsole } from '../support/console.ts';
import { equip } from '../support/equip.ts';
import { expect } from '../support/expect.ts';
import { signIn } from '../support/sign-in.ts';

describeConsole(
  (console) => {
    it('signs in by a recovery code, which works once, and learns how many are left', async () => {
      const user = await addMember(console.app, { money: '7' });
      const [code = ''] = (await equip(console, user)).codes;
      const { page } = await console.visit('/login');
      await signInBy(page, user.email, code);
      await expect(page.getByText('9 recovery codes are left')).toBeVisible();
      await expect(page.getByText('Make new ones soon')).toBeHidden();
      await expect(goOn(page)).toBeFocused();
      await expect(page.getByRole('link', { name: 'Forgot the password?' })).toBeHidden();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('link', { name: 'Balance $7.00' })).toBeVisible();
      await page.goto('/logout');
      await page.getByRole('link', { name: 'Sign in again' }).click();
      await signInBy(page, user.email, code);
      const field = page.getByRole('textbox', { name: 'Code' });
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await page.getByRole('button', { name: 'Start over' }).click();
      await expect(page.getByLabel('E-mail')).toBeVisible();
    });

    it('is warned when two are left, there and on the page that makes new ones', async () => {
      const user = await addMember(console.app);
      const { codes } = await equip(console, user);
      const [code = '', ...used] = codes.slice(2);
      await console.app.database.transaction(async (trx) => {
        for (const each of used) {
          const hash = hashRecoveryCode(each, user.id);
          await useRecoveryCode(trx, { userId: user.id, hash, nowMs: 1 });
        }
      });
      const { page } = await console.visit('/login?next=%2Faccount%3Ftab%3Dsecurity');
      await signInBy(page, user.email, code);
      await expect(page.getByText('2 recovery codes are left')).toBeVisible();
      await expect(page.getByText(/^Make new ones/)).toBeVisible();
      await goOn(page).click();
      await expect(page.getByText('Only 2 recovery codes are left')).toBeVisible();
    });
  },
  { expectedMessages: /400 \(/ },
);

async function signInBy(page: Page, email: string, code: string): Promise<void> {
  await signIn(page, email);
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

function goOn(page: Page) {
  return page.getByRole('button', { name: 'Continue' });
}
