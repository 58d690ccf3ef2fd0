/** Connections that end too early, and sessions that do. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { addMember, goodPassword } from '../../support/console/visitor.ts';
import { type ConsoleBench, describeConsole, sizes } from '../support/console.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { expect } from '../support/expect.ts';
import { attachMasked, mayChange, rememberForms, sentMask } from '../support/mask-page.ts';
import {
  chargesOf,
  PlaygroundPage,
  requestsOf,
  visitPlayground,
} from '../support/playground-page.ts';

describeConsole(
  (console) => {
    it('B21 names the time and the proxy when a stream is cut, and finds out what became of it', async () => {
      const { page, user, proxy, playground } = await behindProxy(console);
      await page.clock.install();
      await playground.choose('Previews', '0');
      await playground.generate('a fox [[delay=6s]]');
      await expect(playground.state('Running')).toBeVisible();
      const before = await secondsOf(page);
      await page.clock.fastForward((61 - before) * 1_000);
      await expect(playground.elapsed).toHaveText(/^1:0[1-3]$/);
      proxy.isOpen = false;
      proxy.cutAll();
      await expect(
        page.getByText(/^The connection ended after 6[1-3] sec without a result\.$/),
      ).toBeVisible();
      await expect(
        page.getByText('A proxy in front of this service probably cuts connections after 60 sec.'),
      ).toBeVisible();
      // All it tries by itself fails.
      const check = page.getByRole('button', { name: 'Check result' });
      await expect(async () => {
        await page.clock.fastForward(5_000);
        await expect(check).toBeVisible({ timeout: 500 });
      }).toPass();
      await expect
        .poll(async () => (await requestsOf(console, user)).map(({ status }) => status), {
          timeout: 20_000,
        })
        .toEqual(['succeeded']);
      proxy.isOpen = true;
      await check.click();
      await playground.expectResult();
      await expect(
        page.getByText(/The image was fetched again, without a second charge\.$/),
      ).toBeVisible();
      expect(await chargesOf(console, user)).toEqual([-80_000]);
      await page.close();
      await proxy.stop();
    });

    it.each(['desktop', 'narrow'] as const)(
      'has its button in sight below the notice that there is no connection (%s)',
      async (size) => {
        const { page, playground } = await visitPlayground(console, {}, { size });
        await page.context().setOffline(true);
        await expect(page.getByText('You are offline')).toBeVisible();
        await expect(playground.generateButton).toBeInViewport({ ratio: 1 });
        if (size === 'narrow') return;
        const account = page.getByRole('complementary').getByRole('button').last();
        await expect(account).toBeInViewport({ ratio: 1 });
        const { height } = sizes[size];
        expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
      },
    );

    it('goes on by itself when the connection is only cut, for one charge', async () => {
      const { page, user, proxy, playground } = await behindProxy(console);
      await playground.generate('a fox [[delay=4s]]');
      await playground.expectPreview();
      proxy.cutAll();
      await playground.expectResult();
      await expect(page.getByText(/The image was fetched again/)).toBeVisible();
      expect(await requestsOf(console, user)).toHaveLength(1);
      expect(await chargesOf(console, user)).toEqual([-80_000]);
      await page.close();
      await proxy.stop();
    });

    it('asks by itself once the browser has a connection again, and what is paid for is there', async () => {
      const { page, user, proxy, playground } = await behindProxy(console);
      await page.clock.install();
      await playground.generate('a fox [[delay=2s]]');
      await expect(playground.state('Running')).toBeVisible();
      proxy.isOpen = false;
      proxy.cutAll();
      await page.context().setOffline(true);
      await expect(async () => {
        await page.clock.fastForward(5_000);
        await expect(page.getByRole('button', { name: 'Check result' })).toBeVisible({
          timeout: 500,
        });
      }).toPass();
      proxy.isOpen = true;
      await page.context().setOffline(false);
      await playground.expectResult();
      expect(await chargesOf(console, user)).toEqual([-80_000]);
      await page.close();
      await proxy.stop();
    });

    it('asks again when a proxy says for a moment that the service is away', async () => {
      const { page, user, playground } = await visitPlayground(console);
      let asked = 0;
      await page.route('**/images/generations', (route) => {
        asked++;
        const away = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' };
        return asked === 1 ? route.fulfill(away) : route.continue();
      });
      await playground.generate('a fox');
      await playground.expectResult();
      expect(asked).toBe(2);
      expect(await chargesOf(console, user)).toEqual([-80_000]);
    });

    it('says what the record says when the request failed meanwhile', async () => {
      const { page, user, proxy, playground } = await behindProxy(console);
      await playground.generate('a fox [[delay=3s]] [[fail=refused]]');
      await expect(playground.state('Running')).toBeVisible();
      proxy.isOpen = false;
      proxy.cutAll();
      await expect
        .poll(async () => (await requestsOf(console, user)).map(({ status }) => status), {
          timeout: 20_000,
        })
        .toEqual(['failed']);
      proxy.isOpen = true;
      await expect(playground.state('Failed')).toBeVisible({ timeout: 20_000 });
      await expect(page.getByText('You were not charged.')).toBeVisible();
      expect(await requestsOf(console, user)).toHaveLength(1);
      await page.close();
      await proxy.stop();
    });

    it('B28 asks to sign in over the page, and loses nothing of what is on it', async () => {
      const user = await addMember(console.app, { money: '4.96' });
      const { playground, page, context } = await visitPlayground(console, {}, { user });
      await playground.prompt.fill('a fox');
      await attachMasked(playground);
      const mask = page.getByRole('button', { name: 'Remove the mask of image 1' });
      const painted = await mask.textContent();
      await rememberForms(page);
      await context.clearCookies();
      await playground.generateButton.click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(dialog).toHaveCount(0);
      // The very request that had to wait goes on.
      await playground.expectResult();
      await expect(playground.prompt).toHaveValue('a fox');
      await expect(page.getByRole('img', { name: 'Image 1: one.png' })).toBeVisible();
      await expect(page.getByRole('img', { name: 'Image 2: two.png' })).toBeVisible();
      await expect(mask).toHaveText(painted ?? '');
      expect(await requestsOf(console, user)).toMatchObject([
        { status: 'succeeded', operation: 'edit' },
      ]);
      const sent = await sentMask(playground);
      expect(sent).toMatchObject({ width: 120, height: 80 });
      expect(mayChange(sent, 0.5, 0.5)).toBe(true);
      expect(mayChange(sent, 0.5, 0.05)).toBe(false);
      await expect
        .poll(async () => (await requestsOf(console, user)).map(({ status }) => status), {
          timeout: 20_000,
        })
        .toEqual(['succeeded', 'succeeded']);
    });
  },
  {
    expectedMessages:
      /request to elsewhere: http:\/\/127\.0\.0\.1|net::ERR_|status of (401|404|502)/,
  },
);

async function behindProxy(console: ConsoleBench) {
  const proxy = await CuttingProxy.start(console.app.baseUrl);
  const { page, user } = await visitPlayground(console);
  await page.goto(`${proxy.url}/playground`);
  const playground = new PlaygroundPage(page);
  await playground.model.waitFor();
  return { page, user, proxy, playground };
}

async function secondsOf(page: Page): Promise<number> {
  const [minutes = '0', seconds = '0'] = (await page.getByTestId('elapsed').innerText()).split(':');
  return Number(minutes) * 60 + Number(seconds);
}
