/** The first run: from the printed link to a picture. */
import { expect } from '@playwright/test';
import { it } from 'vitest';
import { issueSetupLink } from '../../server/flows/set-up-installation.ts';
import { must } from '../../server/lib/assert.ts';
import { secretLink } from '../../shared/console/links.ts';
import { describeConsole } from './support/console.ts';

describeConsole(
  (console) => {
    it('goes from the printed link to a streamed picture, with two fields typed', async () => {
      const secret = must(
        await issueSetupLink(console.app.admin),
        'a link before there is an account',
      );
      const { page } = await console.visit('/usage');
      await expect(page).toHaveURL('/setup');

      await page.goto(secretLink('setup', secret));
      await page.reload();
      await page.getByLabel('E-mail').fill('admin@example.com');
      await page.getByLabel('Password', { exact: true }).fill('four plain words here');
      await page.getByRole('button', { name: 'Create the account' }).click();

      await page.getByRole('button', { name: 'List its models' }).click();
      await page.getByRole('button', { name: 'Offer these models' }).click();
      await expect(page.getByText('Enough for 500 requests.')).toBeVisible();
      // A reload comes back to the step that is open.
      await page.reload();
      await page.getByRole('button', { name: 'Add $5.00' }).click();
      await page.getByRole('button', { name: 'Create the key' }).click();
      await expect(page.getByText('This key is shown only now.')).toBeVisible();
      await page.getByRole('button', { name: 'Generate' }).click();
      await expect(page.getByText('Charged $0.01 · Balance $4.99')).toBeVisible({
        timeout: 30_000,
      });
      await expect(page.getByRole('img', { name: /^Generated image/ })).toBeVisible();
    });

    it('is over for everybody else once there is an account', async () => {
      const { page } = await console.visit('/setup');
      await expect(page).toHaveURL('/login');
    });
  },
  { isBare: true },
);
