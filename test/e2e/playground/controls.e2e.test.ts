/** What the playground is set to, what it costs, and what sends it. */

import type { Page } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import { setPrice } from '../../../server/flows/models/set-price.ts';
import { amount } from '../../support/console/test-admin.ts';
import { addUsageRows, usageRow } from '../../support/history/usage-rows.ts';
import { violationsOf } from '../support/axe.ts';
import { type ConsoleBench, describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { GalleryPage, makeImage } from '../support/gallery-page.ts';
import { chargesOf, requestsOf, visitPlayground } from '../support/playground-page.ts';

describeConsole(
  (console) => {
    // Before the first visit: the service works them out once for a while.
    beforeAll(() => addPaces(console, { 'gen-image-2.5-sunburst': 40, 'gen-image-2': 12 }));

    it('B8 says what a request costs, and what is left after it', async () => {
      // One of the prices needs four decimals, so all of them have four.
      await setPrice(console.app.admin, { modelId: 'gen-image-2', price: amount('0.0325') });
      const { playground } = await visitPlayground(console);
      await playground.chooseModel('gen-image-2.5-flare');
      await expect(playground.cost).toContainText('This request $0.0400');
      await expect(playground.cost).toContainText('Balance $4.96, then $4.92');
      await setPrice(console.app.admin, { modelId: 'gen-image-2', price: amount('0.03') });
    });

    it('B9 offers what the chosen model can do, and says what is replaced', async () => {
      const { playground, page } = await visitPlayground(console);
      await playground.chooseModel('gen-image-2.5-sunburst');
      await expect(playground.model).toContainText('usually 40 sec');
      await playground.choose('Quality', 'X-high');
      await expect(playground.model).toContainText('$0.08 per request');
      await playground.chooseModel('gen-image-2');
      await expect(playground.model).toContainText('$0.03 per request');
      await playground.choose('Quality', 'Auto');
      await expect(playground.model).toContainText('usually 12 sec');
      await playground.chooseModel('gen-image-2.5-sunburst');
      await playground.choose('Quality', 'X-high');
      await playground.chooseModel('gen-image-2');
      await expect(playground.cost).toContainText('$0.03');
      await expect(playground.option('Quality', 'X-high')).toHaveCount(0);
      await expect(playground.option('Quality', 'Max')).toHaveCount(0);
      await expect(playground.option('Quality', 'High')).toBeChecked();
      await expect(
        page.getByText('X-high is not offered by gen-image-2. Using High.'),
      ).toBeVisible();
      await playground.chooseModel('gen-image-2.5-sunburst');
      await expect(playground.option('Quality', 'X-high')).toBeChecked();
    });

    it('B10 switches the format for a transparent background, and says so', async () => {
      const { playground, page } = await visitPlayground(console);
      await expect(page.getByRole('slider', { name: 'Compression' })).toHaveCount(0);
      await playground.choose('Format', 'JPEG');
      await expect(page.getByRole('slider', { name: 'Compression' })).toBeVisible();
      await playground.choose('Background', 'Transparent');
      await expect(playground.option('Format', 'PNG')).toBeChecked();
      await expect(
        page.getByText('JPEG has no transparency. Switched to PNG.').first(),
      ).toBeVisible();
      await expect(page.getByRole('slider', { name: 'Compression' })).toHaveCount(0);
    });

    it('B11 generates on Ctrl+Enter, writes a line on Enter, and neither while composing', async () => {
      const { playground, page, context, user } = await visitPlayground(console);
      await playground.prompt.pressSequentially('a fox');
      await playground.prompt.press('Enter');
      await playground.prompt.pressSequentially('in snow');
      await expect(playground.prompt).toHaveValue('a fox\nin snow');
      const input = await context.newCDPSession(page);
      await input.send('Input.imeSetComposition', {
        text: 'hu',
        selectionStart: 2,
        selectionEnd: 2,
      });
      await playground.prompt.dispatchEvent('keydown', {
        key: 'Enter',
        ctrlKey: true,
        isComposing: true,
        bubbles: true,
      });
      await playground.prompt.dispatchEvent('keydown', {
        key: 'Process',
        keyCode: 229,
        ctrlKey: true,
        bubbles: true,
      });
      await input.send('Input.insertText', { text: '狐' });
      await expect(playground.prompt).toHaveValue('a fox\nin snow狐');
      expect(await requestsOf(console, user)).toEqual([]);
      await playground.prompt.press('Control+Enter');
      await playground.expectResult();
      expect(await requestsOf(console, user)).toHaveLength(1);
    });

    it('sends by the keys that its button names, wherever the focus is, but from nothing that is open', async () => {
      const { playground, page, user } = await visitPlayground(console);
      await playground.prompt.fill('a fox');
      await playground.model.click();
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('listbox')).toHaveCount(0);
      await playground.choose('Quality', 'Low');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      expect(await requestsOf(console, user)).toEqual([]);
      await page.keyboard.press('Control+Enter');
      await playground.expectResult();
      expect(await requestsOf(console, user)).toHaveLength(1);
    });

    it('B12 takes a double click for one', async () => {
      const { playground, user } = await visitPlayground(console);
      await playground.prompt.fill('a fox');
      await playground.generateButton.dblclick();
      await playground.expectResult();
      expect(await requestsOf(console, user)).toHaveLength(1);
      expect(await chargesOf(console, user)).toEqual([-80_000]);
    });

    it('takes a double click on a kept picture that is run again for one, too', async () => {
      const { playground, page, user } = await visitPlayground(console);
      await playground.generate('a fox');
      await playground.expectResult();
      await playground.expectKept();
      await page.reload();
      const gallery = new GalleryPage(page);
      await gallery.open();
      await gallery.tile('a fox').getByRole('link').click();
      await page.getByRole('button', { name: 'Open in playground' }).click();
      await page.getByRole('button', { name: 'Run again for $0.08' }).dblclick();
      await expect(playground.receipt).toContainText('Balance $4.80');
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('r');
      await page.keyboard.press('r');
      await expect(playground.receipt).toContainText('Balance $4.72');
      expect(await chargesOf(console, user)).toEqual([-80_000, -80_000, -80_000]);
    });

    it('takes a key that is held for one, whatever it does', async () => {
      const { playground, page, user } = await visitPlayground(console);
      const paid = async () => (await chargesOf(console, user)).length;
      // Longer than two clicks are taken for one.
      await playground.prompt.fill('a fox [[delay=1s]]');
      await page.keyboard.down('Control');
      await pressAndHold(page, 'Enter', () => expect.poll(paid).toBe(1));
      await page.keyboard.up('Control');
      await playground.expectResult();
      await playground.generateButton.focus();
      await pressAndHold(page, 'Enter', () => expect.poll(paid).toBe(2));
      await playground.expectResult();
      await page.getByRole('button', { name: 'Download' }).focus();
      await pressAndHold(page, 'r', async () => {
        await expect.poll(paid).toBe(3);
        await playground.expectResult();
      });
      await makeImage(playground, 'an owl');
      expect(await requestsOf(console, user)).toHaveLength(4);
    });

    it('B23 does not generate without the money, and says so in the same words everywhere', async () => {
      const { playground, page } = await visitPlayground(console, { money: '0.01' });
      await playground.prompt.fill('a fox');
      const reason = 'This request costs $0.08. Your balance is $0.01.';
      await expect(playground.cost).toContainText(reason);
      await expect(playground.generateButton).toHaveAttribute('aria-disabled', 'true');
      await expect(playground.generateButton).toHaveAccessibleDescription(reason);
      await expect(playground.cost.getByRole('link', { name: 'Open wallet' })).toHaveAttribute(
        'href',
        '/wallet',
      );
      // The service itself refuses when the page does not know yet.
      const poor = await visitPlayground(console, { money: '0.08' });
      await poor.playground.prompt.fill('a fox');
      await console.app.post('/v1/images/generations', poor.user, {
        model: 'gen-image-2',
        prompt: 'a hare',
      });
      await poor.playground.generateButton.click();
      await expect(
        poor.playground.stage.getByText('This request costs $0.08. Your balance is $0.05.'),
      ).toBeVisible();
      expect(await violationsOf(page)).toEqual([]);
    });

    it('B27 goes to the control of the field that the service refused', async () => {
      const { playground, page } = await visitPlayground(console);
      // What the page would never send: the service's own answer to it is what counts.
      await page.route('**/images/generations', (route) =>
        route.continue({
          postData: JSON.stringify({ ...route.request().postDataJSON(), size: '1x1' }),
        }),
      );
      await playground.generate('a fox');
      await expect(
        playground.stage.getByText(/^The request was not accepted: size must be one of/),
      ).toBeVisible();
      await expect(playground.option('Size', 'Auto')).toBeFocused();
      await playground.prompt.focus();
      await page.getByRole('button', { name: 'Show field' }).click();
      await expect(playground.option('Size', 'Auto')).toBeFocused();
    });

    it('walks through the prompts of this browser with Alt and the arrows', async () => {
      const { playground } = await visitPlayground(console);
      for (const prompt of ['a fox', 'a hare']) {
        await playground.generate(prompt);
        await expect(playground.result).toHaveAttribute('alt', `Generated image: ${prompt}`);
      }
      await playground.prompt.fill('an owl');
      await playground.prompt.press('Alt+ArrowUp');
      await expect(playground.prompt).toHaveValue('a hare');
      await playground.prompt.press('Alt+ArrowUp');
      await expect(playground.prompt).toHaveValue('a fox');
      await playground.prompt.press('Alt+ArrowDown');
      await playground.prompt.press('Alt+ArrowDown');
      await expect(playground.prompt).toHaveValue('an owl');
    });

    it('restores settings that are pasted into the prompt', async () => {
      const { playground, page, context } = await visitPlayground(console);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await playground.choose('Size', '2:3');
      await playground.choose('Previews', '3');
      await playground.prompt.fill('a fox');
      await page.getByRole('button', { name: 'Copy settings' }).click();
      await expect(page.getByText('Settings copied')).toBeVisible();
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect(playground.option('Size', 'Auto')).toBeChecked();
      await playground.prompt.fill('');
      await playground.prompt.press('Control+v');
      await page.getByRole('button', { name: 'Restore settings' }).press('Enter');
      await expect(playground.prompt).toHaveValue('a fox');
      await expect(playground.prompt).toBeFocused();
      await expect(playground.option('Size', '2:3')).toBeChecked();
      await expect(playground.option('Previews', '3')).toBeChecked();
    });
  },
  { expectedMessages: /status of (400|429)/ },
);

/** Down once more without being up between is what a key says that is held. */
async function pressAndHold(
  page: Page,
  key: string,
  untilDone: () => Promise<void>,
): Promise<void> {
  await page.keyboard.down(key);
  await untilDone();
  await page.keyboard.down(key);
  await page.keyboard.up(key);
}

/** As many requests of each model as it takes for the service to know how long they last. */
async function addPaces(
  console: ConsoleBench,
  seconds: Readonly<Record<string, number>>,
): Promise<void> {
  const { id: userId } = await console.addUser();
  const startedAt = Date.now() - 3_600_000;
  const rows = Object.entries(seconds).flatMap(([model, each]) =>
    Array.from({ length: 20 }, () =>
      usageRow({ userId }, startedAt, {
        model,
        quality: 'auto',
        ended_at: startedAt + each * 1_000,
      }),
    ),
  );
  await addUsageRows(console.app.database, rows);
}
