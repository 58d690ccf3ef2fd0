import type { Page } from '@playwright/test';
import { goodPassword } from '../../support/console/visitor.ts';

/** By the form of a page that asks for it. */
export async function signIn(page: Page, email: string, password = goodPassword): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
