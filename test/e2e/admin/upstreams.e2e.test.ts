/** Upstreams: connected, tested, mapped, disabled. */

import { afterAll, beforeAll, it } from 'vitest';
import { findUpstream } from '../../../server/catalog/upstream-store.ts';
import { addModel } from '../../../server/flows/models/add-model.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import {
  connect,
  type HttpUpstream,
  refusedKey,
  startHttpUpstream,
} from '../support/http-upstream.ts';

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

      await expect(page.getByText('those that by their names are none are left out')).toBeVisible();
      await page.getByLabel('Select studio-one').click();
      const dialog = page.getByRole('dialog', { name: 'What does studio-one serve?' });
      await expect(dialog.getByRole('link', { name: 'Models and prices' })).toBeVisible();
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
      await expect(page.getByText(/^It answered in .* with 1 model\.$/)).toBeVisible();
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

      // What was agreed to is spent.
      await expect(begin).toHaveAttribute('aria-disabled', 'true');
      await page.getByLabel('I agree to the cost.').check();
      await begin.click();
      await expect(page.getByText('Generating failed')).toBeHidden();
      const picture = page.getByAltText('Test image: a red ball on a white table').first();
      await expect(picture).toBeVisible();
      await expect(page.getByRole('figure').first()).toContainText('64x64');
    });

    it('asks anew what a test of another entry may cost', async () => {
      upstream.lists('studio-one', 'studio-two');
      const id = await connect(console.app, upstream, { name: 'agreed' });
      const { page } = await console.visit(`/admin/upstreams/${id}?tab=test`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByLabel('I agree to the cost.').check();
      await page.getByRole('combobox', { name: 'Entry of its list' }).click();
      await page.getByRole('option', { name: 'studio-two' }).click();
      await expect(page.getByLabel('I agree to the cost.')).not.toBeChecked();
    });

    it('B67 never gives a key back', async () => {
      const secret = 'sk-nobody-may-see-this';
      upstream.lists('studio-one');
      const id = await connect(console.app, upstream, { name: 'secretive', credential: secret });
      const { page } = await console.visit('/admin/upstreams', {
        user: await console.addUser({ role: 'admin' }),
      });
      // Nothing of another page is on its way any more.
      await page.goto('about:blank');
      const bodies: Promise<string>[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/api/')) bodies.push(response.text());
      });
      await page.goto(`/admin/upstreams/${id}`);
      const keys = page.getByRole('listitem').filter({ hasText: 'Enabled' });
      await expect(keys).toHaveCount(1);
      await expect(keys).toContainText('ends in this');
      await page.getByRole('button', { name: 'Actions for the key main' }).click();
      await page.getByRole('menuitem', { name: 'Replace' }).click();
      const dialog = page.getByRole('dialog', { name: 'Replace the key main' });
      const field = dialog.getByLabel('Credential', { exact: true });
      await expect(field).toHaveValue('');
      await expect(field).toHaveAttribute('placeholder', '••••••••this');
      await field.fill('sk-another-secret-7d21');
      await dialog.getByRole('button', { name: 'Replace the key' }).click();
      await expect(dialog).toBeHidden();
      await expect(keys).toContainText('ends in 7d21');
      const texts = await Promise.all(bodies);
      expect(texts.some((text) => text.includes('"key_list"'))).toBe(true);
      expect(texts.filter((text) => /nobody-may-see|another-secret/.test(text))).toEqual([]);
      expect(await page.content()).not.toMatch(/nobody-may-see|another-secret/);
    });

    it('tests each key, says which fails, and what is new on the list', async () => {
      upstream.lists('studio-one');
      const id = await connect(console.app, upstream, { name: 'several' });
      const { page } = await console.visit(`/admin/upstreams/${id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('button', { name: 'Add a key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a key' });
      await dialog.getByLabel('Name').fill('spare');
      await dialog.getByLabel('Credential', { exact: true }).fill(refusedKey);
      await dialog.getByRole('button', { name: 'Add the key' }).click();
      await expect(dialog).toBeHidden();

      upstream.lists('studio-one', 'studio-two');
      await page.getByRole('link', { name: 'Test', exact: true }).click();
      await page.getByRole('button', { name: 'List models' }).click();
      const outcome = page.getByRole('status').filter({ hasText: 'It answered' });
      await expect(outcome).toContainText(/main: It answered in .* with 2 models\./);
      await expect(outcome).toContainText('spare: It did not answer as it should');
      await expect(outcome).toContainText('Credential not accepted · HTTP 401');
      await expect(outcome).toContainText('+ studio-two');

      await page.getByRole('link', { name: 'Connection' }).click();
      await page.getByRole('button', { name: 'Actions for the key spare' }).click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      const spare = page.getByRole('listitem').filter({ hasText: 'spare' });
      await expect(spare).toContainText('Disabled');
      await page.getByRole('button', { name: 'Actions for the key spare' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete the key' }).click();
      await expect(spare).toHaveCount(0);
    });

    it('asks for the key again before it goes to another host, and by a proxy', async () => {
      upstream.lists('studio-one');
      const id = await connect(console.app, upstream, { name: 'moving' });
      const { page } = await console.visit(`/admin/upstreams/${id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const form = page.getByRole('form', { name: 'Connection' });
      const again = form.getByLabel('Credential', { exact: true });
      await expect(again).toHaveCount(0);
      await form.getByLabel('Base URL').fill('https://elsewhere.example/v1');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect(form.getByText(/a host that they were not meant for/)).toBeVisible();
      await again.fill('sk-meant-for-elsewhere');
      await form.getByLabel('Address of the proxy').fill('http://me:pw@10.0.0.1:3128');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect(form.getByText('Saved', { exact: true })).toBeVisible();
      await expect(form.getByText(/A proxy is set\./)).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'main' })).toContainText(
        'ends in here',
      );
      await form.getByLabel('Remove the proxy').check();
      await form.getByRole('button', { name: 'Save' }).click();
      await expect(form.getByLabel('Remove the proxy')).toHaveCount(0);
    });

    it('shows what is wrong with a limit at its own field', async () => {
      upstream.lists('studio-one');
      const id = await connect(console.app, upstream, { name: 'limited' });
      const { page } = await console.visit(`/admin/upstreams/${id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const form = page.getByRole('form', { name: 'Limits' });
      const silence = form.getByLabel('Silence allowed');
      await silence.fill('1');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect(silence).toHaveAccessibleDescription(/from 100 to 3600000/);
    });

    it('takes a workflow as it is exported, and marks where the values of a request go', async () => {
      const { page } = await console.visit('/admin/upstreams/new', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('radio', { name: /^ComfyUI/ }).check();
      await page.getByLabel('Name', { exact: true }).fill('attic');
      await page.getByLabel('Base URL').fill('http://127.0.0.1:9');
      await page.getByRole('button', { name: 'Remove: sdxl-generate' }).click();
      await page.getByRole('button', { name: 'Remove: sdxl-edit' }).click();
      await page.getByRole('button', { name: 'Add a workflow' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a workflow' });
      const name = dialog.getByLabel('Name of the workflow');
      await name.press('Enter');
      await expect(name).toHaveAccessibleDescription(/This has to be filled in\./);
      await name.fill('paint');
      const text = dialog.getByLabel('Workflow', { exact: true });
      await text.fill('{"nodes": [], "links": []}');
      await expect(dialog.getByText(/This is the file for the editor\./)).toBeVisible();
      // Half of it, as after a slip with the mouse: nothing is lost, and the cursor is where it is mended.
      const half = JSON.stringify(workflow).slice(0, 100);
      await text.fill(half);
      await dialog.getByRole('button', { name: 'Keep the workflow' }).click();
      await expect(dialog.getByText('This is not JSON. Paste the whole file.')).toBeVisible();
      await expect(text).toBeFocused();
      await expect(text).toHaveValue(half);
      await text.fill(JSON.stringify(workflow));
      await expect(dialog.getByText('5 nodes read')).toBeVisible();
      await expect(dialog.getByRole('combobox', { name: 'Seed' })).toHaveText('3 KSampler: seed');
      const prompt = dialog.getByRole('combobox', { name: 'Prompt', exact: true });
      await expect(prompt).toHaveText('Not marked');
      await dialog.getByRole('button', { name: 'Keep the workflow' }).click();
      await expect(dialog.getByText('Mark where the prompt goes.')).toBeVisible();
      await expect(prompt).toBeFocused();
      await prompt.click();
      await page.getByRole('option', { name: /^8 Words: words/ }).click();
      await name.press('Enter');
      await expect(dialog).toBeHidden();
      await expect(page.getByText(/^Marked: .*Prompt/)).toBeVisible();
      await page.getByRole('button', { name: 'Add the upstream' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('attic');

      const stored = await findUpstream(console.app.database, 'attic');
      expect(stored?.settings).toEqual({
        workflows: {
          paint: {
            workflow,
            slots: {
              prompt: { node: '8', input: 'words' },
              seed: { node: '3', input: 'seed' },
              steps: { node: '3', input: 'steps' },
            },
          },
        },
      });
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
      await dialog.getByLabel('Reason').fill('moves to another room');
      await dialog.getByRole('button', { name: 'Disable the upstream' }).click();
      await expect(page.getByRole('button', { name: 'Enable', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Enable', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Disable', exact: true })).toBeVisible();
      await page.goto('/admin/audit?action=upstream.disable');
      await expect(page.getByRole('row', { name: /upstream\.disable/ })).toContainText(
        'moves to another room',
      );
    });
  },
  { clock, expectedMessages: /status of (400|502)/ },
);

/** A sampler whose prompt comes from a node of somebody's own. */
const workflow = {
  '3': {
    class_type: 'KSampler',
    inputs: { seed: 0, steps: 20, model: ['4', 0], positive: ['6', 0] },
  },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd.safetensors' } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: ['8', 0], clip: ['4', 1] } },
  '8': { class_type: 'WordsOfMine', inputs: { words: 'a boat' }, _meta: { title: 'Words' } },
  '9': { class_type: 'SaveImageWebsocket', inputs: { images: ['3', 0] } },
};
