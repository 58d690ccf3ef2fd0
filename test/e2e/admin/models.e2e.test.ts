/** Models and what they cost. */
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect as expectThat, it } from 'vitest';
import { requireModel } from '../../../server/catalog/model-store.ts';
import { addModel } from '../../../server/flows/models/add-model.ts';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { selectUpstreamModel } from '../../../server/flows/models/select-upstream-model.ts';
import { setPrice } from '../../../server/flows/models/set-price.ts';
import { must } from '../../../server/lib/assert.ts';
import { findUsage } from '../../../server/usage/usage-list.ts';
import { amount } from '../../support/console/test-admin.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { connect, type HttpUpstream, startHttpUpstream } from '../support/http-upstream.ts';
import { sidewaysFaults } from '../support/page-geometry.ts';

describeConsole(
  (console) => {
    let upstream: HttpUpstream;
    beforeAll(async () => {
      upstream = await startHttpUpstream('studio-one');
    });
    afterAll(() => upstream.stop());

    const addPriced = async (modelId: string) => {
      const { admin } = console.app;
      await addModel(admin, { id: modelId, description: '', extendedQualities: false });
      await setPrice(admin, { modelId, price: amount('0.04') });
      await setEnabledOfModel(admin, { modelId, enabled: true });
    };

    it('B64 shows the half that is missing, and offers the model without a reload once it is there', async () => {
      await addPriced('priced-only');
      const { page } = await console.visit('/admin/models?state=not_selected', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.evaluate(() => Object.assign(window, { wasHere: true }));
      const row = page.getByRole('row', { name: /priced-only/ });
      await expect(row).toContainText('Price, enabled');
      await expect(row).toContainText('No upstream serves it');
      expect(await offered(page)).not.toContain('priced-only');

      await page.getByRole('link', { name: 'Models and prices' }).click();
      await page.getByRole('link', { name: 'priced-only' }).click();
      const panel = page.getByRole('dialog', { name: 'priced-only' });
      await panel.getByRole('button', { name: 'Select', exact: true }).click();
      await expect(panel.getByText('Available to users', { exact: true })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(row).toContainText('Has an upstream');
      await expect.poll(() => offered(page)).toContain('priced-only');
      expect(await page.evaluate(() => 'wasHere' in window)).toBe(true);
    });

    it('selects one entry of a list, also for who presses Enter twice', async () => {
      await addPriced('twice-pressed');
      const { page } = await console.visit('/admin/models/twice-pressed', {
        user: await console.addUser({ role: 'admin' }),
      });
      const select = page.getByRole('button', { name: 'Select', exact: true });
      await expect(select).toBeEnabled();
      await select.press('Enter');
      await expect(page.getByText('Available to users', { exact: true })).toBeVisible();
      await expect(select).not.toHaveAttribute('aria-busy');
      await expect(select).toBeFocused();
      await select.press('Enter');
      await expect(select).toHaveAttribute('aria-disabled', 'true');
      await expect(select).toHaveAccessibleDescription('Selected already.');
      await expect(page.getByRole('button', { name: /^Remove the selection/ })).toHaveCount(1);

      await page.getByRole('combobox', { name: 'Entry of its list' }).click();
      await page.getByRole('option', { name: 'sandbox-studio' }).click();
      await select.press('Enter');
      await expect(page.getByRole('button', { name: /^Remove the selection/ })).toHaveCount(2);
    });

    it('takes one selection back, also for who clicks twice', async () => {
      const modelId = 'twice-clicked';
      await addPriced(modelId);
      for (const upstreamModel of ['sandbox-classic', 'sandbox-quick', 'sandbox-studio']) {
        await selectUpstreamModel(console.app.admin, {
          modelId,
          upstream: 'sandbox',
          upstreamModel,
        });
      }
      const { page } = await console.visit(`/admin/models/${modelId}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const selections = page.getByRole('button', { name: /^Remove the selection/ });
      await expect(selections).toHaveCount(3);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(request.url());
      });
      await selections.first().click();
      await expect(selections).toHaveCount(2);
      // The answer came between the two clicks, and with it the next row.
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await selections.first().press('Enter');
      await expect(selections).toHaveCount(1);
      expect(sent).toHaveLength(2);
    });

    it('B25 leads from a request that found no model to the model that lacks something', async () => {
      await addPriced('nobody-serves');
      const admin = await console.addUser({ role: 'admin' });
      const refused = await console.app.post('/v1/images/generations', admin, {
        model: 'nobody-serves',
        prompt: 'a boat',
      });
      expect(refused.status).toBe(503);
      const traceId = must(refused.headers.get('x-request-id'), 'a trace ID');
      // What is refused is written down a moment later.
      await expectThat.poll(() => findUsage(console.app.database, traceId)).not.toBeNull();
      const { page } = await console.visit(`/t/${traceId}`, { user: admin });
      await page.getByRole('link', { name: 'See what the model lacks' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('nobody-serves');
      await expect(page.getByText('No upstream serves it')).toBeVisible();
      await page.getByRole('link', { name: 'Back to Models and prices' }).click();
      await expect(page.getByRole('row', { name: /nobody-serves/ })).toContainText(
        'No upstream serves it',
      );
    });

    it('says on a phone, where no title is above it, what a model is or is not', async () => {
      await addPriced('not-served');
      const { page } = await console.visit('/admin/models', {
        user: await console.addUser({ role: 'admin' }),
        size: 'phone',
      });
      const markOf = (name: RegExp) => page.getByRole('row', { name }).locator('td').nth(4);
      await expect(markOf(/gen-image-2\.5-flare/).getByText('Available')).toBeVisible();
      await expect(markOf(/gen-image-2\.5-flare/).getByText('Yes')).toBeHidden();
      await expect(markOf(/not-served/).getByText('Not available')).toBeVisible();
    });

    it('keeps to the width of a phone with an upstream whose name is as long as one may be', async () => {
      const modelId = 'far-away';
      await addPriced(modelId);
      const name = 'studio'.repeat(11).slice(0, 63);
      const upstreamId = await connect(console.app, upstream, { name });
      await selectUpstreamModel(console.app.admin, {
        modelId,
        upstream: upstreamId,
        upstreamModel: 'studio-one',
      });
      const { page } = await console.visit(`/admin/models/${modelId}`, {
        user: await console.addUser({ role: 'admin' }),
        size: 'phone',
      });
      await expect(page.getByRole('link', { name })).toBeVisible();
      expectThat(await sidewaysFaults(page)).toEqual([]);
    });

    it('B65 asks before a price changes, keeps the old one for what runs, and notes who did it', async () => {
      const modelId = 'slow-model';
      await addPriced(modelId);
      const upstreamId = await connect(console.app, upstream, { name: 'studio' });
      await selectUpstreamModel(console.app.admin, {
        modelId,
        upstream: upstreamId,
        upstreamModel: 'studio-one',
      });
      const admin = await console.addUser({ role: 'admin' });
      upstream.holdPictures();
      const running = console.app.post('/v1/images/generations', admin, {
        model: modelId,
        prompt: 'a boat',
      });
      await expect.poll(() => upstream.requests).toContain('POST /v1/images/generations');

      const { page } = await console.visit(`/admin/models/${modelId}`, { user: admin });
      await expect(
        page.getByText('A request for several images costs its price once for each.'),
      ).toBeVisible();
      await page.getByLabel('Price per request').fill('0');
      await expect(page.getByLabel('Price per request')).toHaveAttribute('aria-invalid', 'true');
      await page.getByLabel('Price per request').fill('0.05');
      await page.getByRole('button', { name: 'Review the change' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change the price?' });
      await expect(dialog).toContainText('$0.04');
      await expect(dialog).toContainText('$0.05');
      await expect(dialog).toContainText('+25%');
      await expect(dialog).toContainText('Requests already running keep the old price.');
      await dialog.getByRole('button', { name: 'Set the price to $0.05' }).click();
      await expect(dialog).toBeHidden();
      const history = page.getByRole('table');
      await expect(history.getByRole('row').nth(1)).toContainText('$0.05');
      await expect(history.getByRole('row').nth(1)).toContainText(admin.email);
      await expect(history.getByRole('row').nth(2)).toContainText('$0.04');

      upstream.letGo();
      const answer = await running;
      expect(answer.status).toBe(200);
      await page.goto(`/admin/log/${answer.headers.get('x-request-id')}`);
      await expect(page.getByText('Charged $0.04')).toBeVisible();

      await page.goto(`/admin/audit?action=model.set_price&target=${modelId}&actor=${admin.email}`);
      const entry = page.getByRole('row', { name: /model\.set_price/ });
      await expect(entry).toHaveCount(1);
      await expect(entry).toContainText(admin.email);
      await expect(entry).toContainText('0.04 → 0.05');
    });

    it('sets the price of several models at once, after showing each change', async () => {
      await addPriced('bulk-a');
      await addPriced('bulk-b');
      const { page } = await console.visit('/admin/models', {
        user: await console.addUser({ role: 'admin' }),
      });
      for (const name of ['bulk-a', 'bulk-b']) {
        await page.getByRole('checkbox', { name: `Select row ${name}`, exact: true }).check();
      }
      const bar = page.getByRole('region', { name: '2 models selected' });
      await bar.getByRole('button', { name: 'Set the price' }).click();
      await page.getByRole('dialog').getByLabel('New price').fill('0.1');
      await page.getByRole('dialog').getByRole('button', { name: 'Review the change' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change the price?' });
      await expect(dialog.getByRole('listitem')).toHaveText([
        /bulk-a.*\$0\.04.*\$0\.10.*\+150%/,
        /bulk-b.*\$0\.04.*\$0\.10.*\+150%/,
      ]);
      await dialog.getByRole('button', { name: 'Set the price of 2 models to $0.10' }).click();
      await expect(page.getByRole('row', { name: /bulk-a/ })).toContainText('$0.10');
      await expect(page.getByRole('row', { name: /bulk-b/ })).toContainText('$0.10');
      await expect(bar).toBeHidden();
    });

    it('refuses the prices of several models where somebody else has changed one meanwhile', async () => {
      await addPriced('quiet');
      await addPriced('contested-too');
      const { page } = await console.visit('/admin/models', {
        user: await console.addUser({ role: 'admin' }),
      });
      for (const name of [/quiet/, /contested-too/]) {
        await page.getByRole('row', { name }).getByLabel('Select row').check();
      }
      await page.getByRole('region').getByRole('button', { name: 'Set the price' }).click();
      await page.getByRole('dialog').getByLabel('New price').fill('0.06');
      await page.getByRole('dialog').getByRole('button', { name: 'Review the change' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change the price?' });
      await expect(dialog.getByRole('listitem')).toHaveText([/\$0\.04/, /\$0\.04/]);
      await setPrice(console.app.admin, { modelId: 'contested-too', price: amount('0.5') });
      await dialog.getByRole('button', { name: /^Set the price/ }).click();
      await expect(dialog.getByRole('alert')).toContainText('it is 0.50 now');
      const { database } = console.app;
      expect(await requireModel(database, 'quiet')).toMatchObject({ price: amount('0.04') });
      expect(await requireModel(database, 'contested-too')).toMatchObject({ price: amount('0.5') });
    });

    it('refuses a price that somebody else has changed meanwhile', async () => {
      await addPriced('contested');
      const { page } = await console.visit('/admin/models/contested', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByLabel('Price per request').fill('0.06');
      await page.getByRole('button', { name: 'Review the change' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change the price?' });
      await expect(dialog).toContainText('$0.04');
      await setPrice(console.app.admin, { modelId: 'contested', price: amount('0.5') });
      await dialog.getByRole('button', { name: 'Set the price to $0.06' }).click();
      await expect(dialog.getByRole('alert')).toContainText('it is 0.50 now');
    });
  },
  { expectedMessages: /400/ },
);

/** What the playground lets one choose, on the way through the console's own links. */
async function offered(page: Page): Promise<readonly string[]> {
  await page.getByRole('link', { name: 'Playground', exact: true }).click();
  const picker = page.getByRole('combobox', { name: 'Model' });
  await picker.click();
  const options = page.getByRole('option');
  await expect(options.filter({ hasText: 'gen-image-2.5-flare' })).toBeVisible();
  const names = await options
    .filter({ hasNotText: 'Unavailable' })
    .evaluateAll((items) =>
      items
        .filter((item) => item.getAttribute('aria-disabled') !== 'true')
        .map((item) => item.querySelector('[translate=no]')?.textContent ?? ''),
    );
  await page.keyboard.press('Escape');
  return names;
}
