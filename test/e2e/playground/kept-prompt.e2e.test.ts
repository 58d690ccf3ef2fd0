/** What somebody writes in the playground, when its page is loaded again before it was sent. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { visitPlayground } from '../support/playground-page.ts';

const prompt = 'a fox that I thought about at length';

describeConsole((console) => {
  it('is there again, with its model and its settings', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.chooseModel('gen-image-2');
    await playground.choose('Quality', 'High');
    await playground.prompt.fill(prompt);
    await page.reload();
    await expect(playground.prompt).toHaveValue(prompt);
    await expect(playground.model).toContainText('gen-image-2');
    await expect(playground.option('Quality', 'High')).toBeChecked();
  });

  it.each([
    ['is not whole', () => '{"userId"'],
    ['is no draft', () => 'null'],
    ['has other settings', (id: string) => draftOf(id, { wanted: { size: 3, previews: 'many' } })],
    ['has another kind of prompt', (id: string) => draftOf(id, { prompt: 7, model: {} })],
  ])(
    'does not keep the page from being shown where it %s, as of another version',
    async (_, text) => {
      const { playground, page, user } = await visitPlayground(console);
      await page.evaluate(
        (kept) => sessionStorage.setItem('tintype.playground', kept),
        text(user.id),
      );
      await page.reload();
      await expect(playground.prompt).toHaveValue('');
      await expect(playground.option('Size', 'Auto')).toBeChecked();
      await playground.prompt.fill(prompt);
      await expect(playground.generateButton).not.toHaveAttribute('aria-disabled', 'true');
    },
  );

  it('is gone when they sign out, and not for somebody else', async () => {
    const { playground, page, context } = await visitPlayground(console);
    await playground.prompt.fill(prompt);
    await expect.poll(() => keptBy(page)).toContain(prompt);
    await console.signIn(context, await console.addUser());
    await page.reload();
    await expect(playground.prompt).toHaveValue('');
    await playground.prompt.fill(prompt);
    await page.goto('/logout');
    await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible();
    expect(await keptBy(page)).not.toContain(prompt);
  });

  it('is not kept in a browser that is to keep no pictures', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await page.evaluate(
      (id) => localStorage.setItem(`tintype.gallery.session-only.${id}`, '1'),
      user.id,
    );
    await page.reload();
    await playground.prompt.fill(prompt);
    await expect(playground.generateButton).not.toHaveAttribute('aria-disabled', 'true');
    expect(await keptBy(page)).not.toContain(prompt);
  });
});

function draftOf(userId: string, draft: object): string {
  return JSON.stringify({ userId, draft });
}

function keptBy(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
}
