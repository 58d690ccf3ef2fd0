/** A model that is withdrawn while somebody is about to use it: nobody pays for one that they did not choose. */
import { it } from 'vitest';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { comeBack } from '../support/come-back.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { requestsOf, visitPlayground } from '../support/playground-page.ts';

/** Long enough for the models to be asked for again by whoever comes back to the window. */
const awayMs = 60_000;

describeConsole((console) => {
  it.each([
    ['chosen', 'gen-image-2'],
    ['the one that the page began with', 'gen-image-2.5-sunburst'],
  ])('no other takes the place of one that was %s', async (how, modelId) => {
    const { admin } = console.app;
    const { playground, page, user } = await visitPlayground(console);
    if (how === 'chosen') await playground.chooseModel(modelId);
    await expect(playground.model).toContainText(modelId);
    await playground.prompt.fill('a fox');
    await page.clock.install();
    await setEnabledOfModel(admin, { modelId, enabled: false });
    try {
      await expect(async () => {
        await page.clock.fastForward(awayMs);
        await comeBack(page);
        const told = page.getByText(`${modelId} is not available right now.`);
        await expect(told).toBeVisible({ timeout: 1_000 });
      }).toPass({ timeout: 20_000 });
      await expect(playground.model).toContainText(modelId);
      await playground.prompt.press('Control+Enter');
      await expect(playground.generateButton).toHaveAccessibleDescription(
        'Choose a model that is available.',
      );
      await playground.chooseModel('gen-image-2.5-flare');
      await expect(playground.cost).toContainText('This request $0.04');
      await expect(playground.prompt).toHaveValue('a fox');
      expect(await requestsOf(console, user)).toEqual([]);
    } finally {
      await setEnabledOfModel(admin, { modelId, enabled: true });
    }
  });

  it('is not taken for another one when its settings are pasted', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.prompt.fill('{"model":"gen-image-1","prompt":"a hare"}');
    await page.getByRole('button', { name: 'Restore settings' }).click();
    await expect(playground.prompt).toHaveValue('a hare');
    await expect(page.getByText('gen-image-1 is not available right now.')).toBeVisible();
    await expect(playground.generateButton).toHaveAttribute('aria-disabled', 'true');
  });
});
