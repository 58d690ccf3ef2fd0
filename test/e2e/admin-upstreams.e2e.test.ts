/** Upstreams: connected, tested, mapped, disabled. */
import { expect } from '@playwright/test';
import { afterAll, beforeAll, it } from 'vitest';
import { addModel } from '../../server/flows/add-model.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { describeConsole } from './support/console.ts';
import { connect, type HttpUpstream, startHttpUpstream } from './support/http-upstream.ts';

/** On it the 120 seconds that a test image may take are five. */
const clock = hurriedClock(24);

describeConsole(
  (console) => {
    let upstream: HttpUpstream;
    beforeAll(async () => {
      upstream = await startHttpUpstream('studio-one', 'studio-two');
    });
    afterAll(() => upstream.stop());

    it('connects one from its preset to its first model', async () => {
      await addModel(console.app.admin, {
        id: 'gen-image-9',
        description: '',
        extendedQualities: false,
      });
      const { page } = await console.visit('/admin/upstreams/new', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('radio', { name: /^OpenAI Images/ }).check();
      await page.getByRole('button', { name: 'Add the upstream' }).click();
      await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
      await page.getByLabel('Name', { exact: true }).fill('fresh');
      await page.getByLabel('Base URL').fill(upstream.baseUrl);
      await page.getByLabel('Credential', { exact: true }).fill('sk-fresh');
      await page.getByRole('combobox', { name: 'Service' }).click();
      await page.getByRole('option', { name: 'generic' }).click();
      await page.getByRole('button', { name: 'Add the upstream' }).click();
      await expect(page).toHaveURL(/tab=models/);

      await page.getByLabel('Select studio-one').click();
      const dialog = page.getByRole('dialog', { name: 'What does studio-one serve?' });
      await dialog.getByRole('combobox', { name: 'Model' }).click();
      await page.getByRole('option', { name: 'gen-image-9' }).click();
      await dialog.getByLabel('Strict mask').check();
      await dialog.getByLabel('Extra fields').fill('not json');
      await dialog.getByRole('button', { name: 'Select', exact: true }).click();
      await expect(dialog.getByText('Write a JSON object.')).toBeVisible();
      await dialog.getByLabel('Extra fields').fill('{"style": "vivid"}');
      await dialog.getByRole('button', { name: 'Select', exact: true }).click();
      await expect(page.getByText('Available upstream now: gen-image-9.')).toBeVisible();
      const row = page.getByRole('row', { name: /studio-one/ });
      await expect(row).toContainText('gen-image-9');
      await expect(row).toContainText('strict mask');
      await expect(row.getByRole('link', { name: 'missing' })).toBeVisible();
    });

    it('says what is new on a list and what is gone', async () => {
      upstream.lists('studio-one', 'studio-two');
      const id = await connect(console.app, upstream, { name: 'listing' });
      upstream.lists('studio-one', 'studio-three', 'studio-four');
      const { page } = await console.visit(`/admin/upstreams/${id}?tab=models`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('button', { name: 'Refresh the list' }).click();
      const note = page.getByRole('status').filter({ hasText: 'listed' });
      await expect(note).toContainText('2 new');
      await expect(note).toContainText('1 gone');
      await expect(note).toContainText('+ studio-three');
      await expect(note).toContainText('− studio-two');
      await page.getByRole('radio', { name: 'Gone' }).check();
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(page.getByRole('row', { name: /studio-two/ })).toContainText('gone');
    });

    it('B66 tests by the images endpoint, with a timer, and stops when it is cancelled', async () => {
      upstream.lists('studio-one');
      const id = await connect(console.app, upstream, { name: 'cancelled' });
      const before = upstream.requests.length;
      const { page } = await console.visit(`/admin/upstreams/${id}?tab=test`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('button', { name: 'List models' }).click();
      await expect(page.getByText(/It answered in .* with 1 model\./)).toBeVisible();
      const begin = page.getByRole('button', { name: 'Generate test images' });
      await expect(begin).toHaveAttribute('aria-disabled', 'true');
      await page.getByLabel('I agree to the cost.').check();
      upstream.holdPictures();
      await begin.click();
      await expect(page.getByRole('timer')).toHaveText(/^0:0\d$/);
      await expect.poll(() => upstream.requests.at(-1)).toBe('POST /v1/images/generations');
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await expect(page.getByText(/^Cancelled\./)).toBeVisible();
      await expect(page.getByRole('timer')).toHaveCount(0);
      upstream.letGo();
      expect(upstream.requests.slice(before)).toEqual([
        'GET /v1/models',
        'POST /v1/images/generations',
      ]);
    });

    it('B66 stops a test at its limit, and shows the images of one that works', async () => {
      upstream.lists('studio-one');
      const id = await connect(console.app, upstream, { name: 'slow' });
      const { page } = await console.visit(`/admin/upstreams/${id}?tab=test`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await expect(page.getByText(/At most 2 min for each\./)).toBeVisible();
      await page.getByLabel('I agree to the cost.').check();
      upstream.holdPictures();
      const begin = page.getByRole('button', { name: 'Generate test images' });
      await begin.click();
      await expect(page.getByText('Generating failed')).toBeVisible({ timeout: 30_000 });
      await expect(page.getByRole('alert').first()).toContainText('No answer in time');
      upstream.letGo();
      await expect(page.getByText('The test is over.')).toBeVisible({ timeout: 30_000 });

      await begin.click();
      await expect(page.getByText('Generating failed')).toBeHidden();
      const picture = page.getByAltText('Test image: a red ball on a white table').first();
      await expect(picture).toBeVisible();
      await expect(page.getByRole('figure').first()).toContainText('64x64');
    });

    it('B67 never gives a key back', async () => {
      const secret = 'sk-nobody-may-see-this';
      upstream.lists('studio-one');
      const id = await connect(console.app, upstream, { name: 'secretive', credential: secret });
      const { page } = await console.visit('/admin/upstreams', {
        user: await console.addUser({ role: 'admin' }),
      });
      const bodies: Promise<string>[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/api/')) bodies.push(response.text());
      });
      await page.goto(`/admin/upstreams/${id}`);
      const keys = page.getByRole('listitem').filter({ hasText: 'Enabled' });
      await expect(keys).toHaveCount(1);
      await page.getByRole('button', { name: 'Actions for the key main' }).click();
      await page.getByRole('menuitem', { name: 'Replace' }).click();
      const dialog = page.getByRole('dialog', { name: 'Replace the key main' });
      await expect(dialog.getByLabel('Credential', { exact: true })).toHaveValue('');
      await dialog.getByLabel('Credential', { exact: true }).fill('sk-another-secret');
      await dialog.getByRole('button', { name: 'Replace the key' }).click();
      await expect(dialog).toBeHidden();
      const texts = await Promise.all(bodies);
      expect(texts.some((text) => text.includes('"key_list"'))).toBe(true);
      expect(texts.filter((text) => /nobody-may-see|another-secret/.test(text))).toEqual([]);
      expect(await page.content()).not.toMatch(/nobody-may-see|another-secret/);
    });

    it('says before one is disabled which models lose their last upstream', async () => {
      const { page } = await console.visit('/admin/upstreams', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('link', { name: 'sandbox', exact: true }).click();
      await page.getByRole('button', { name: 'Disable', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Disable sandbox?' });
      await expect(dialog).toContainText(
        'Nothing else would serve: gen-image-2, gen-image-2.5-flare, gen-image-2.5-sunburst.',
      );
      await dialog.getByRole('button', { name: 'Disable the upstream' }).click();
      await expect(page.getByRole('button', { name: 'Enable', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Enable', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Disable', exact: true })).toBeVisible();
    });
  },
  { clock },
);
