/** A finished picture: what is said of it, and how it is compared with others. */

import { expect as expectThat, it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { sidewaysFaults } from '../support/page-geometry.ts';
import { picture, visitPlayground } from '../support/playground-page.ts';

describeConsole((console) => {
  it('keeps the picture on the mat while the gallery takes it over', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.prompt.fill('a fox');
    const pictures = await page.evaluateHandle(() => {
      const counts: number[] = [];
      new MutationObserver(() => {
        counts.push(document.querySelectorAll('[data-testid=result]').length);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
      return counts;
    });
    await playground.generateButton.click();
    await playground.expectResult();
    // The star is the gallery's: it takes only what it has.
    await page.getByRole('button', { name: 'Star', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Remove star' })).toBeVisible();
    const counts = await pictures.jsonValue();
    expect(counts.slice(counts.indexOf(1))).not.toContain(0);
  });

  it('shows the prompt that was drawn, and what was changed in it', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.generate('[[revise=red fox]] fox');
    await playground.expectResult();
    const details = page.getByRole('group').filter({ hasText: 'Revised prompt' });
    await expect(details.locator('ins')).toBeHidden();
    await page.getByText('Revised prompt', { exact: true }).click();
    await expect(details.locator('ins')).toHaveText('[added] red');
    await expect(details.locator('del')).toHaveText('[left out] [[revise=red fox]]');
    // Of a prompt that was drawn as it is, nothing is said.
    await playground.generate('a hare');
    await expect(playground.result).toHaveAttribute('alt', 'Generated image: a hare');
    await expect(page.getByText('Revised prompt', { exact: true })).toHaveCount(0);
  });

  it('keeps to the width of a phone with a drawn prompt that has no space', async () => {
    const { playground, page } = await visitPlayground(console, {}, { size: 'phone' });
    await playground.generate(`[[revise=https://example.com/${'w'.repeat(90)}]] fox`);
    await playground.expectResult();
    await playground.stage.getByText('Revised prompt').click();
    await expect(playground.stage.locator('ins')).toBeVisible();
    expectThat(await sidewaysFaults(page)).toEqual([]);
  });

  it('says what was made otherwise than asked, and nothing where it was not', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.choose('Size', '3:2');
    await playground.choose('Quality', 'X-high');
    await playground.generate('a fox');
    await playground.expectResult();
    await expect(playground.receipt).toContainText('1536 × 1024');
    await expect(playground.receipt).not.toContainText('requested');
    // The sandbox does what it is asked for: other services round.
    await page.route('**/images/generations', async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replaceAll('"quality":"xhigh"', '"quality":"high"')
        .replaceAll('"size":"1536x1024"', '"size":"1024x1024"');
      await route.fulfill({ response, body });
    });
    await playground.generate('a hare');
    await expect(playground.receipt).toContainText('Quality: requested X-high, used High');
    await expect(playground.receipt).toContainText('Size: requested 1536 × 1024, used 1024 × 1024');
  });

  it('compares with a reference and with another picture, by slider, beside it, and by holding', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.generate('a hare');
    await playground.expectResult();
    await playground.attach(await picture('one.png', 'teal'));
    await expect(page.getByRole('img', { name: 'Image 1: one.png' })).toBeVisible();
    await playground.generate('a fox');
    await expect(playground.result).toHaveAttribute('alt', 'Generated image: a fox', {
      timeout: 20_000,
    });
    await page.getByRole('button', { name: 'Compare' }).click();
    const comparison = page.getByRole('group', { name: 'Compare' });
    const other = comparison.getByRole('img', { name: 'The other' });
    await expect(comparison.getByRole('combobox', { name: 'With' })).toContainText('Reference 1');
    const reference = await other.getAttribute('src');
    const slider = comparison.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuetext', '60%');
    await page.keyboard.press('ArrowLeft');
    await expect(slider).toHaveAttribute('aria-valuetext', '59%');
    await expect(other).toHaveCSS('clip-path', 'inset(0px 41% 0px 0px)');
    // A click on the picture is enough: nothing has to be dragged.
    await slider.click({ position: { x: 4, y: 40 } });
    await expect(comparison.getByText('The other')).toHaveCount(0);
    await comparison.getByRole('combobox', { name: 'With' }).click();
    await page.getByRole('option', { name: 'a hare' }).click();
    await expect(other).not.toHaveAttribute('src', reference ?? '');
    await comparison.getByRole('radio', { name: 'Side by side' }).check({ force: true });
    await expect(comparison.getByRole('img')).toHaveCount(2);
    await comparison.getByRole('radio', { name: 'Hold' }).check({ force: true });
    const hold = comparison.getByRole('button', { name: 'Hold to see the other image' });
    await expect(hold).toHaveText('This image');
    await hold.focus();
    await page.keyboard.down('Space');
    await expect(hold).toHaveText('The other');
    await page.keyboard.up('Space');
    await expect(hold).toHaveText('This image');
    await page.keyboard.press('Escape');
    await expect(comparison).toHaveCount(0);
    await expect(playground.result).toBeVisible();
  });

  it('zooms two pictures beside each other over either of them', async () => {
    const { playground, page } = await visitPlayground(console);
    for (const prompt of ['a hare', 'a fox']) {
      await playground.generate(prompt);
      await expect(playground.result).toHaveAttribute('alt', `Generated image: ${prompt}`, {
        timeout: 20_000,
      });
    }
    await page.getByRole('button', { name: 'Compare' }).click();
    const comparison = page.getByRole('group', { name: 'Compare' });
    await comparison.getByRole('radio', { name: 'Side by side' }).check({ force: true });
    const shown = comparison.getByRole('img');
    await comparison.getByRole('figure').nth(1).hover();
    await page.mouse.wheel(0, -400);
    for (const index of [0, 1])
      await expect(shown.nth(index)).toHaveCSS(
        'transform',
        /^matrix\(1\.8\d+, 0, 0, 1\.8\d+, -?0(\.\d+)?, 0\)$/,
      );
  });
});
