import type { Page } from '@playwright/test';
import { expect } from './expect.ts';

/** What the readiness list of the overview says is missing, by the names of the API. */
export async function openReadiness(page: Page): Promise<readonly (string | null)[]> {
  await expect(page.getByRole('heading', { name: 'Readiness' })).toBeVisible();
  return page
    .locator('[data-item]')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-item')));
}
