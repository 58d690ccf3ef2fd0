/** Settings, and the test of what lies between the browser and the service. */

import { it } from 'vitest';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';

/** On it the 150 seconds of the proxy test are three. */
const clock = hurriedClock(50);

describeConsole(
  (console) => {
    it('B70 does not let unsaved changes go without asking', async () => {
      const { page } = await console.visit('/admin/settings/general', {
        user: await console.addUser({ role: 'admin' }),
      });
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('Another name');
      await page.getByRole('link', { name: 'Upstreams' }).click();
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
      await dialog.getByRole('button', { name: 'Stay' }).click();
      await expect(dialog).toBeHidden();
      await expect(page).toHaveURL(/\/admin\/settings\/general$/);
      await expect(name).toHaveValue('Another name');

      await page.getByRole('link', { name: 'Limits' }).click();
      await dialog.getByRole('button', { name: 'Leave' }).click();
      await expect(page).toHaveURL(/\/admin\/settings\/limits$/);
      await page.getByRole('link', { name: 'General' }).click();
      await expect(name).toHaveValue('Tintype');
    });

    it('saves a section, after which nothing stands in the way', async () => {
      const { page } = await console.visit('/admin/settings/limits', {
        user: await console.addUser({ role: 'admin' }),
      });
      const limit = page.getByLabel('Requests at once');
      await limit.fill('10001');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Write a whole number from 1 to 10,000.')).toBeVisible();
      await expect(limit).toBeFocused();
      await limit.fill('10000');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Saved', { exact: true })).toBeVisible();
      await page.getByRole('link', { name: 'Upstreams' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upstreams');
    });

    it('locks the currency once there is a wallet transaction, and says why', async () => {
      const { page } = await console.visit('/admin/settings', {
        user: await console.addUser({ role: 'admin' }),
      });
      await expect(page.getByLabel('Currency')).toBeDisabled();
      await expect(
        page.getByText(/cannot change after the first wallet transaction/),
      ).toBeVisible();
    });

    it('says what is stored, and what each option does', async () => {
      const { page } = await console.visit('/admin/settings', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('link', { name: 'Privacy' }).click();
      await expect(page.getByText('Prompts and images are never stored')).toBeVisible();
      await expect(page.getByRole('definition').filter({ hasText: 'trace ID' })).toHaveCount(2);
      for (const name of ['TINTYPE_IDEMPOTENCY_REPLAY', 'TINTYPE_LOG_LEVEL']) {
        await expect(page.getByRole('term').getByText(name, { exact: true })).toBeVisible();
      }
    });

    it('holds a stream open for as long as images take, and says that nothing cut it', async () => {
      const { page } = await console.visit('/admin/settings/proxy', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('button', { name: 'Begin the test' }).click();
      await expect(page.getByRole('timer')).toContainText('of 2:30');
      await expect(page.getByText('The stream stayed open for 150 seconds.')).toBeVisible({
        timeout: 30_000,
      });
    });

    it('says after how long a stream was cut', async () => {
      const { page } = await console.visit('/admin/settings/proxy', {
        user: await console.addUser({ role: 'admin' }),
      });
      // A proxy that ends the answer without its last event.
      await page.route('**/api/console/admin/stream-test*', (route) =>
        route.fulfill({
          contentType: 'text/event-stream',
          body: 'event: begin\ndata: {"type":"begin","elapsed_ms":0}\n\n',
        }),
      );
      await page.getByRole('button', { name: 'Begin the test' }).click();
      await expect(page.getByText(/^The stream was cut after 0:0\d\.$/)).toBeVisible();
      await expect(page.getByText('proxy_read_timeout 300s;')).toBeVisible();
    });
  },
  { clock },
);
