/** Codes that stand for money: made, shown once, taken back. */
import { readFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import { it } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';

describeConsole((console) => {
  it('makes a batch whose codes are shown once, also as a file, and withdraws what is left', async () => {
    const admin = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/codes', { user: admin });
    await expect(page.getByText('No codes yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Make codes' }).click();
    const form = page.getByRole('dialog', { name: 'Make codes' });
    await form.getByLabel('How many').fill('0');
    await form.getByRole('button', { name: 'Make the codes' }).click();
    await expect(form.getByText('Write a whole number from 1 to 1,000.')).toBeVisible();
    await form.getByLabel('Amount of each').fill('7.50');
    await form.getByLabel('How many').fill('3');
    await form.getByLabel('Note').fill('=fair');
    await form.getByRole('button', { name: 'Make the codes' }).click();

    const shown = page.getByRole('dialog', { name: 'The 3 codes' });
    const text = await shown.getByLabel('Codes').innerText();
    const codes = text.trim().split('\n');
    expect(codes).toHaveLength(3);
    const downloading = page.waitForEvent('download');
    await shown.getByRole('button', { name: 'Download CSV' }).click();
    const download = await downloading;
    const file = readFileSync(await download.path(), 'utf8');
    expect(file.split('\r\n').slice(0, 2)).toEqual([
      'code,amount,expires_at,batch',
      expect.stringMatching(new RegExp(`^${codes[0]},7.50,2\\d{3}-[^,]+,bat_\\w+$`)),
    ]);
    await expect(shown.getByRole('button', { name: 'Done' })).toBeDisabled();
    await shown.getByLabel('I have stored them').check();
    await shown.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('3 codes for $22.50')).toBeVisible();
    for (const code of codes) expect(await page.content()).not.toContain(code);

    const ending = must(codes[0], 'a code').slice(-4);
    const row = page.getByRole('row', { name: new RegExp(`…${ending}`) });
    await row.getByRole('button', { name: 'Withdraw' }).click();
    const asked = page.getByRole('dialog', { name: `Withdraw the code ending ${ending}?` });
    await asked.getByRole('button', { name: 'Withdraw' }).click();
    await expect(row).toContainText('Withdrawn');
    await row.getByRole('link').last().click();
    await expect(page).toHaveURL(/batch=bat_/);
    await page.getByRole('button', { name: 'Withdraw the batch' }).click();
    const rest = page.getByRole('dialog', { name: 'Withdraw what is left of the batch?' });
    await rest.getByRole('button', { name: 'Withdraw the batch' }).click();
    await expect(page.getByRole('row', { name: /Withdrawn/ })).toHaveCount(3);
    await page.getByLabel('State').click();
    await page.getByRole('option', { name: 'Open' }).click();
    await expect(page.getByText('No codes match.')).toBeVisible();
  });

  it('shows a single code as one, in whole groups, and its row on a phone with state and button apart', async () => {
    const admin = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/codes', { user: admin, size: 'phone' });
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByLabel('Amount of each').fill('7.50');
    await page.getByRole('button', { name: 'Make the codes' }).click();
    const shown = page.getByRole('dialog', { name: 'The code' });
    await expect(shown).toContainText('Store it now: it is shown only this once');
    const secret = shown.getByLabel('Codes');
    expect(await brokenGroupsOf(secret)).toEqual([]);
    const ending = (await secret.innerText()).slice(-4);
    await shown.getByLabel('I have stored it').check();
    await shown.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row', { name: new RegExp(`…${ending}`) });
    const state = must(await row.getByText('Open', { exact: true }).boundingBox(), 'the state');
    const button = must(await row.getByRole('button').boundingBox(), 'the button');
    expect(state.x + state.width).toBeLessThan(button.x);
  });

  it('is not for users', async () => {
    const { page } = await console.visit('/admin/codes', { user: await console.addUser() });
    await expect(page.getByRole('button', { name: 'Make codes' })).toHaveCount(0);
  });
});

/** The groups between hyphens that begin on one line and end on another. */
function brokenGroupsOf(secret: Locator): Promise<readonly string[]> {
  return secret.evaluate((element) => {
    const text = element.firstChild;
    if (!(text instanceof Text)) return ['no text'];
    return [...text.data.matchAll(/\w+/g)].flatMap(({ 0: group, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + group.length);
      return range.getClientRects().length > 1 ? [group] : [];
    });
  });
}
