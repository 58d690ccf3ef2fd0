/** The playground for those who use a keyboard, a screen reader, or a small screen. */

import { it } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { picture, visitPlayground } from '../support/playground-page.ts';
import { settle } from '../support/settle.ts';

describeConsole((console) => {
  it.each([
    { size: 'desktop', theme: 'light', language: 'en' },
    { size: 'desktop', theme: 'dark', language: 'zh-CN' },
    { size: 'phone', theme: 'dark', language: 'en' },
    { size: 'phone', theme: 'light', language: 'zh-CN' },
  ] as const)('B73 has nothing that axe finds ($size, $theme, $language)', async (how) => {
    const user = await console.addUser({ money: '4.96' });
    const { page } = await console.visit('/playground', { ...how, user });
    const prompt = page.locator('[data-field=prompt] textarea');
    await prompt.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page
      .locator('input[type=file]')
      .setInputFiles([await picture('one.png', 'teal'), await picture('two.png', 'gold')]);
    await settle(page);
    await prompt.fill('a fox [[revise=a red fox]]');
    await prompt.press('Control+Enter');
    await expect(page.getByTestId('result')).toBeVisible({ timeout: 20_000 });
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('=');
    await expect(page.getByRole('slider')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('B74 leads the focus through the settings in the order in which they are seen', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.prompt.fill('a fox');
    await playground.prompt.focus();
    const names: string[] = [];
    for (let steps = 0; steps < 11; steps++) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const { activeElement: element } = document;
        const group = element?.closest('[role=radiogroup]')?.getAttribute('aria-labelledby');
        const label = group ?? element?.getAttribute('aria-labelledby');
        return (label && document.getElementById(label)?.textContent) || element?.textContent || '';
      });
      names.push(name);
    }
    expect(names).toEqual([
      'Add image',
      'Model',
      'Size',
      'Quality',
      'Format',
      'Background',
      'Previews',
      'Variations',
      'Reset',
      'Copy settings',
      expect.stringContaining('Generate'),
    ]);
  });

  it('never has what is focused under the bar of a phone', async () => {
    const { playground, page } = await visitPlayground(console, {}, { size: 'phone' });
    const bar = playground.generateButton.locator('..');
    await playground.prompt.focus();
    for (let steps = 0; steps < 6; steps++) {
      await page.keyboard.press('Tab');
      const [focused, top] = await Promise.all([
        page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom ?? 0),
        bar.evaluate((element) => element.getBoundingClientRect().top),
      ]);
      expect(focused).toBeLessThanOrEqual(top);
    }
  });

  it('does with single keys what the buttons do, and steps through the strip', async () => {
    const { playground, page } = await visitPlayground(console);
    for (const prompt of ['a fox', 'a hare']) {
      await playground.generate(prompt);
      await expect(playground.result).toHaveAttribute('alt', `Generated image: ${prompt}`, {
        timeout: 20_000,
      });
    }
    await expect(page.getByRole('button', { name: 'Star', disabled: false })).toBeVisible();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(playground.result).toHaveAttribute('alt', 'Generated image: a fox');
    await page.keyboard.press('ArrowLeft');
    await expect(playground.result).toHaveAttribute('alt', 'Generated image: a hare');
    await page.keyboard.press('.');
    await expect(page.getByRole('button', { name: 'Remove star' })).toBeVisible();
    const download = page.waitForEvent('download');
    await page.keyboard.press('d');
    expect((await download).suggestedFilename()).toMatch(/_a-hare_/);
    await page.keyboard.press('Delete');
    await expect(playground.result).toHaveAttribute('alt', 'Generated image: a fox');
    // The toast that offers to undo it takes no keys while the focus is elsewhere.
    await page.keyboard.press('=');
    await expect(page.getByRole('group', { name: 'Compare' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('group', { name: 'Compare' })).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(playground.result).toHaveAttribute('alt', 'Generated image: a hare');
    // In a field they are letters.
    await playground.prompt.fill('');
    await playground.prompt.press('d');
    await expect(playground.prompt).toHaveValue('d');
  });
});
