/** The pictures that a browser keeps: that they are there, all of them, and for nobody else. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import {
  databaseName,
  databaseNames,
  GalleryPage,
  heapBytes,
  makeImage,
  seedRuns,
  visitGallery,
} from '../support/gallery-page.ts';
import { visitPlayground } from '../support/playground-page.ts';

const logged: string[] = [];
const canary = 'zanzibarquokka';

describeConsole(
  (console) => {
    // How soon they are there: `bench/gallery/main.ts`.
    it('B47 of a thousand images reads only those in sight', async () => {
      const { page, user, context, gallery } = await visitGallery(console);
      await seedRuns(page, user, 1_000);
      await page.getByRole('link', { name: 'Usage', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
      const before = await heapBytes(context, page);
      await gallery.open();
      await expect(page.getByText('1,000 images')).toBeVisible();
      await expect(page.locator('[data-run] img').first()).toBeVisible();
      await expect(page.locator('[data-run]')).toHaveCount(100);
      expect(await page.locator('[data-run] img').count()).toBeLessThan(60);
      expect((await heapBytes(context, page)) - before).toBeLessThan(60_000_000);
    });

    it('goes on when the end of the page is near', async () => {
      const { page, user, gallery } = await visitGallery(console);
      await seedRuns(page, user, 250);
      await page.reload();
      await gallery.tiles.nth(99).scrollIntoViewIfNeeded();
      await expect(gallery.tiles).toHaveCount(200);
      await gallery.tiles.nth(199).scrollIntoViewIfNeeded();
      await expect(gallery.tiles).toHaveCount(250);
      await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
    });

    it('B49 shows nobody else’s images, and is gone when it is deleted at the sign-out', async () => {
      const { playground, page, user, context } = await visitPlayground(console);
      await makeImage(playground, 'a red fox');
      const gallery = new GalleryPage(page);

      await signOut(page);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      const other = await console.addUser();
      await console.signIn(context, other);
      await page.goto('/gallery');
      await expect(page.getByText('Images that you make in the playground')).toBeVisible();
      await expect(gallery.tiles).toHaveCount(0);

      await console.signIn(context, user);
      await page.goto('/gallery');
      await expect(gallery.tiles).toHaveCount(1);
      await signOut(page);
      const dialog = page.getByRole('dialog', { name: 'Sign out' });
      await expect(dialog.getByText(/^1 image, .* are kept in this browser/)).toBeVisible();
      await dialog.getByRole('radio', { name: 'Delete them from this browser' }).check();
      await dialog.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      expect(await databaseNames(page)).not.toContain(databaseName(user.id));
    });

    it('says before they are deleted at the sign-out that images which are being made come after it', async () => {
      const { playground, page } = await visitPlayground(console);
      await makeImage(playground, 'a red fox');
      await playground.generate('a blue hen [[delay=60s]]');
      await expect(playground.state('Running')).toBeVisible();
      await signOut(page);
      const dialog = page.getByRole('dialog', { name: 'Sign out' });
      const note = dialog.getByText(/^A request is still running\. Its image is kept/);
      await expect(note).toBeHidden();
      await dialog.getByRole('radio', { name: 'Delete them from this browser' }).check();
      await expect(note).toBeVisible();
      await dialog.getByRole('checkbox', { name: 'Do not keep images' }).check();
      await expect(note).toBeHidden();
    });

    it('B50 sends no prompt anywhere but in the request for the image', async () => {
      const { playground, page } = await visitPlayground(console);
      const sent: string[] = [];
      page.on('request', (request) => {
        const isForImage = request.url().endsWith('/images/generations');
        const body = isForImage ? '' : (request.postData() ?? '');
        sent.push(request.url(), JSON.stringify(request.headers()), body);
      });
      await makeImage(playground, canary);
      const gallery = new GalleryPage(page);
      await gallery.open();
      await gallery.search.fill(canary);
      await expect(page.getByText('1 image matches')).toBeVisible();
      await gallery.tile(canary).getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: canary }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: canary }).waitFor();
      await page.getByRole('button', { name: 'Open in playground' }).click();
      await expect(playground.prompt).toHaveValue(canary);
      expect(sent.length).toBeGreaterThan(10);
      expect(logged.length).toBeGreaterThan(0);
      expect([...sent, ...logged].filter((text) => text.includes(canary))).toEqual([]);
    });

    it('B51 shows an image that another tab made, without being asked to', async () => {
      const { playground, context } = await visitPlayground(console);
      const there = new GalleryPage(await context.newPage());
      await there.page.goto('/gallery');
      await there.page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
      await makeImage(playground, 'a red fox');
      await expect(there.tile('a red fox')).toBeVisible();
    });

    it('shows all of a prompt that has no space', async () => {
      const { page, playground } = await visitPlayground(console, {}, { size: 'phone' });
      await makeImage(playground, `https://example.com/${'w'.repeat(50)}`);
      await page.goto('/gallery');
      await new GalleryPage(page).tiles.getByRole('link').click();
      const prompt = page.getByRole('complementary').getByText('wwwwww');
      await expect(prompt).toBeVisible();
      const right = await prompt.evaluate((element) => element.getBoundingClientRect().right);
      expect(right).toBeLessThan(390);
    });

    it('finds, selects by Shift and Ctrl, and takes a deletion back', async () => {
      const { page, user, gallery } = await visitGallery(console);
      await seedRuns(page, user, 12);
      await page.reload();
      await gallery.tiles
        .nth(1)
        .getByRole('link')
        .click({ modifiers: ['Control'] });
      await gallery.tiles
        .nth(4)
        .getByRole('link')
        .click({ modifiers: ['Shift'] });
      await expect(page.getByText('4 selected')).toBeVisible();
      await gallery.tiles.nth(2).getByRole('link').click();
      await expect(page.getByText('3 selected')).toBeVisible();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(gallery.tiles).toHaveCount(9);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(gallery.tiles).toHaveCount(12);
      await gallery.search.fill('PICTURE 1');
      await expect(gallery.tiles).toHaveCount(3);
      await page.getByRole('combobox', { name: 'Model' }).click();
      await page.getByRole('option', { name: 'even' }).click();
      await expect(gallery.tiles).toHaveCount(1);
      await expect(page).toHaveURL(/model=even$/);
      await gallery.search.fill('nothing like it');
      await expect(page.getByText('No images match.')).toBeVisible();
    });

    it('counts and changes only what can be seen of a selection', async () => {
      const { page, user, gallery } = await visitGallery(console);
      await seedRuns(page, user, 12);
      await page.reload();
      const bar = page.getByRole('region', { name: /selected/ });
      for (const index of [0, 1]) await gallery.tiles.nth(index).getByRole('checkbox').check();
      await expect(bar).toContainText('2 selected');
      await gallery.search.fill('nothing like it');
      await expect(page.getByText('No images match.')).toBeVisible();
      await expect(bar).toBeHidden();
      await gallery.search.fill('');
      await expect(bar).toContainText('2 selected');
      // Those are hidden at once, and gone when nobody took it back.
      await bar.getByRole('button', { name: 'Delete' }).click();
      await gallery.tiles.nth(0).getByRole('checkbox').check();
      await expect(bar.getByRole('button', { name: 'Select all 10' })).toBeVisible();
    });

    it('keeps the focus at the images when the bar of the selection goes away', async () => {
      const { page, user, gallery } = await visitGallery(console);
      await seedRuns(page, user, 4);
      await page.reload();
      const link = (prompt: string) => gallery.tile(prompt).getByRole('link');
      const select = (prompt: string) => gallery.tile(prompt).getByRole('checkbox').check();
      await select('picture 2');
      await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
      await expect(link('picture 2')).toBeFocused();
      await select('picture 2');
      await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
      await expect(link('picture 1')).toBeFocused();
      for (const number of [3, 1, 0]) await select(`picture ${number}`);
      await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
      await expect(page.getByRole('main')).toBeFocused();
    });

    it('takes stars away from more images than the page shows', async () => {
      const { page, user, gallery } = await visitGallery(console);
      await seedRuns(page, user, 110);
      await page.reload();
      await gallery.tiles.nth(0).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Select all 110' }).click();
      await page.getByRole('button', { name: 'Star', exact: true }).click();
      await page.getByRole('button', { name: 'Remove star' }).click();
      await expect(page.getByRole('button', { name: 'Star', exact: true })).toBeVisible();
      await page.getByRole('checkbox', { name: 'Starred only' }).check();
      await expect(page.getByText('No images match.')).toBeVisible();
    });

    it('leads from image to image by keyboard, and back to where one was', async () => {
      const { page, user, gallery } = await visitGallery(console);
      await seedRuns(page, user, 12);
      await page.reload();
      await gallery.tiles.nth(0).getByRole('link').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'seeded picture 10' }).waitFor();
      await expect(page.getByText('2 of 12')).toBeVisible();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('heading', { level: 1, name: 'seeded picture 9' }).waitFor();
      await page.keyboard.press('Escape');
      await expect(gallery.tiles.nth(2).getByRole('link')).toBeFocused();
    });

    it('leafs through by the same button, pressed by a key again and again', async () => {
      const { page, user, gallery } = await visitGallery(console);
      await seedRuns(page, user, 12);
      await page.reload();
      await gallery.tiles.nth(0).getByRole('link').click();
      const next = page.getByRole('button', { name: 'Next image' });
      await next.focus();
      for (const number of [10, 9]) {
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: `seeded picture ${number}` }).waitFor();
        await expect(page.getByRole('img', { name: `seeded picture ${number}` })).toBeVisible();
        await expect(next).toBeFocused();
      }
    });

    it('goes on taking keys while a toast offers to undo', async () => {
      const { page, user, gallery } = await visitGallery(console);
      await seedRuns(page, user, 4);
      await page.reload();
      await gallery.tiles.nth(1).getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: 'seeded picture 2' }).waitFor();
      await page.keyboard.press('Delete');
      await page.getByRole('heading', { level: 1, name: 'seeded picture 1' }).waitFor();
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('heading', { level: 1, name: 'seeded picture 0' }).waitFor();
      await page.keyboard.press('Escape');
      await expect(gallery.tiles).toHaveCount(3);
    });

    it.each([
      { size: 'desktop', theme: 'light', language: 'en' },
      { size: 'phone', theme: 'dark', language: 'zh-CN' },
    ] as const)('B73 has nothing that axe finds ($size, $theme, $language)', async (how) => {
      const { page, user, gallery } = await visitGallery(console, how);
      expect(await violationsOf(page)).toEqual([]);
      await seedRuns(page, user, 5);
      await page.reload();
      await expect(gallery.tiles).toHaveCount(5);
      await gallery.tiles.nth(0).getByRole('checkbox').check();
      expect(await violationsOf(page)).toEqual([]);
      await gallery.tiles.nth(0).getByRole('checkbox').uncheck();
      await gallery.tiles.nth(1).getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: 'seeded picture 3' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });
  },
  { onLogLine: (line) => logged.push(line) },
);

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}
