/** Browsers in which a page can keep nothing: by a setting, in an embedded view, or with a full disk. */
import type { BrowserContext } from '@playwright/test';
import { it } from 'vitest';
import { addMember } from '../../support/console/visitor.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { PlaygroundPage } from '../support/playground-page.ts';
import { signIn } from '../support/sign-in.ts';

describeConsole(
  (console) => {
    it.each([
      ['forbid it', forbid],
      ['have none', takeAway],
      ['have no room', fillUp],
    ])(
      'the console works in browsers that %s, and shows the picture that it cannot keep',
      async (_how, make) => {
        const { email } = await addMember(console.app, { money: '5' });
        const { page, context } = await console.visit('/login');
        await make(context);
        await page.goto('/login?next=/account%3Ftab=preferences');
        await signIn(page, email);
        await page.getByRole('radio', { name: 'Dark' }).click();
        await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
        await page.getByRole('radio', { name: '简体中文' }).click();
        await expect(page.getByRole('heading', { level: 1, name: '账户设置' })).toBeVisible();
        await page.getByRole('radio', { name: 'English' }).click();
        await page.getByRole('link', { name: 'Playground', exact: true }).click();
        const playground = new PlaygroundPage(page);
        await playground.generate('a red fox');
        await playground.expectResult();
        await expect(playground.stage.getByRole('button', { name: /^Download/ })).toBeVisible();
        await playground.prompt.fill('another');
        await playground.prompt.press('Alt+ArrowUp');
        await expect(playground.prompt).toHaveValue('a red fox');
        await page.getByRole('link', { name: 'Gallery', exact: true }).click();
        await expect(page.getByRole('heading', { level: 1, name: 'Gallery' })).toBeVisible();
        await page.getByRole('link', { name: 'Usage', exact: true }).click();
        await page.getByRole('button', { name: 'Columns' }).click();
        await page.getByRole('checkbox', { name: 'Operation' }).uncheck();
        await expect(page.getByRole('columnheader', { name: 'Operation' })).toHaveCount(0);
      },
    );

    it('what is kept of pictures says that it cannot be read', async () => {
      const user = await console.addUser();
      const { page, context } = await console.visit('/usage', { user });
      await takeAway(context);
      await page.goto('/account?tab=browser');
      await expect(page.getByText('The gallery could not be read.')).toBeVisible();
    });
  },
  // The page of the gallery tells of what it cannot read.
  { expectedMessages: /operation is insecure|reading 'open'/ },
);

/** As with all cookies of other purposes blocked. */
async function forbid(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, { get: refuse });
    }
    Object.defineProperty(window, 'BroadcastChannel', { value: refuse });
  });
}

/** As embedded views begin, and as Firefox is without `dom.storage.enabled`. */
async function takeAway(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, { value: null });
    }
  });
}

async function fillUp(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    };
  });
}
