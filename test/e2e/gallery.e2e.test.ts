/** The pictures that a browser keeps: that they are there, all of them, and for nobody else. */
import { stat } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { it } from 'vitest';
import { violationsOf } from './support/axe.ts';
import { describeConsole } from './support/console.ts';
import {
  databaseContent,
  databaseName,
  databaseNames,
  GalleryPage,
  heapBytes,
  limitStorage,
  runCount,
  seedRuns,
  sha256,
  storedHashes,
} from './support/gallery-page.ts';
import { MaskEditorPage } from './support/mask-page.ts';
import { PlaygroundPage, picture, visitPlayground } from './support/playground-page.ts';

const logged: string[] = [];
const canary = 'zanzibarquokka';

describeConsole(
  (console) => {
    /** Makes a picture, and sees it. */
    async function make({ page, ...playground }: PlaygroundPage, prompt: string): Promise<void> {
      await playground.prompt.fill(prompt);
      await playground.generateButton.click();
      const shown = page.getByRole('img', { name: `Generated image: ${prompt}` });
      await expect(shown).toBeVisible({ timeout: 20_000 });
    }

    async function visitGallery(options: Parameters<typeof visitPlayground>[2] = {}) {
      const user = options.user ?? (await console.addUser());
      const visit = await console.visit('/gallery', { ...options, user });
      return { ...visit, user, gallery: new GalleryPage(visit.page) };
    }

    it('B45 has all finished images after a reload, each byte as it was received', async () => {
      const { playground, page, user } = await visitPlayground(console);
      await rememberStreams(page);
      await make(playground, 'a red fox');
      await make(playground, 'a blue hen');
      const received = await page.evaluate(() => Promise.all(window.receivedStreams ?? []));
      const hashes = received.map(hashOfFinal);
      expect(hashes).toHaveLength(2);
      await expect.poll(() => runCount(page, user)).toBe(2);
      await page.reload();
      const gallery = new GalleryPage(page);
      await gallery.open();
      await expect(gallery.tiles).toHaveCount(2);
      expect((await storedHashes(page, user)).sort()).toEqual(hashes.sort());
    });

    it('B46 keeps a paid image on the page when the browser has no room for it', async () => {
      const user = await console.addUser();
      // Limits of storage hold only where a browser really stores.
      const { page } = await console.visit('/playground', { user, isOnDisk: true });
      const playground = new PlaygroundPage(page);
      // Room for one of them.
      await limitStorage(page, 2_000_000);
      await make(playground, 'a red fox');
      await make(playground, 'a blue hen');
      const notice = playground.stage.getByText(/no room left in this browser/);
      await expect(notice).toBeVisible({ timeout: 10_000 });
      const shown = page.getByRole('img', { name: 'Generated image: a blue hen' });
      expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1024);
      const gallery = new GalleryPage(page);
      const file = await gallery.download(page.getByRole('button', { name: /^Download/ }).first());
      expect((await stat(file)).size).toBeGreaterThan(100_000);
      await gallery.open();
      await expect(gallery.tiles).toHaveCount(1);
    });

    it('B46 keeps to its own limit too, and offers to free space before it is reached', async () => {
      const { gallery, page, user } = await visitGallery();
      await seedRuns(page, user, 40);
      const { used } = await facts(page, user.id);
      await setCap(page, user.id, Math.round(used / 0.9));
      await page.reload();
      const notice = page.getByText('The gallery is 90% full.');
      await expect(notice).toBeVisible();
      await page.getByRole('button', { name: 'Free space' }).click();
      const dialog = page.getByRole('dialog', { name: 'Free space' });
      await dialog.getByText('50%', { exact: true }).click();
      const confirm = dialog.getByRole('button', { name: /^Delete \d+ images$/ });
      const count = Number(/\d+/.exec((await confirm.textContent()) ?? '')?.[0]);
      expect(count).toBeGreaterThan(10);
      await confirm.click();
      await expect(gallery.tiles).toHaveCount(40 - count);
      await expect(gallery.tile('seeded picture 39')).toBeVisible();
      await expect(notice).toBeHidden();
    });

    it('B47 opens a thousand images quickly, and reads only those in sight', async () => {
      const { page, user, context } = await visitGallery();
      await seedRuns(page, user, 1_000);
      await leaveGallery(page);
      const before = await heapBytes(context, page);
      const times = [await timeToFirstScreen(page)];
      // The best of several, for other programs are busy on the same machine.
      for (let tries = 1; tries < 5; tries++) {
        await leaveGallery(page);
        times.push(await timeToFirstScreen(page));
      }
      expect(Math.min(...times)).toBeLessThan(300);
      await expect(page.getByText('1,000 images')).toBeVisible();
      await expect(page.locator('[data-run]')).toHaveCount(100);
      expect(await page.locator('[data-run] img').count()).toBeLessThan(60);
      expect((await heapBytes(context, page)) - before).toBeLessThan(60_000_000);
    });

    it('goes on when the end of the page is near', async () => {
      const { page, user, gallery } = await visitGallery();
      await seedRuns(page, user, 250);
      await page.reload();
      await gallery.tiles.nth(99).scrollIntoViewIfNeeded();
      await expect(gallery.tiles).toHaveCount(200);
      await gallery.tiles.nth(199).scrollIntoViewIfNeeded();
      await expect(gallery.tiles).toHaveCount(250);
      await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
    });

    it('B48 brings back every run, star and mask after an export, a clear and an import', async () => {
      const { playground, page, user } = await visitPlayground(console);
      await make(playground, 'a red fox');
      await playground.attach(await picture('room.png', 'teal'));
      const editor = new MaskEditorPage(page);
      await editor.open();
      await editor.stroke([0.3, 0.3], [0.7, 0.7]);
      await editor.save();
      await make(playground, 'a blue hen');
      const gallery = new GalleryPage(page);
      await gallery.open();
      await gallery.tile('a red fox').getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Star', exact: true }).click();
      await expect(gallery.tile('a red fox').getByRole('img', { name: 'Starred' })).toBeVisible();
      await page.getByRole('button', { name: 'Clear selection' }).click();
      const before = await databaseContent(page, user);
      expect(before.runs.keys).toHaveLength(2);
      expect(before.masks.keys).toHaveLength(1);

      const panel = await gallery.openStorage();
      const file = await gallery.download(panel.getByRole('button', { name: 'Export everything' }));
      await expect(panel.getByText(/Last exported/)).toBeVisible();
      await panel.getByRole('button', { name: 'Clear all' }).click();
      const question = page.getByRole('dialog', { name: 'Delete all images?' });
      await expect(question.getByText(/^2 images, \d.* MB, only in this browser/)).toBeVisible();
      await question.getByRole('button', { name: 'Delete 2 images' }).click();
      await expect(panel.getByText('0 images, 0 byte')).toBeVisible();
      const empty = await databaseContent(page, user);
      expect(Object.values(empty).flatMap(({ keys }) => keys)).toEqual([]);

      await panel.getByTestId('gallery-import').setInputFiles(file);
      const outcome = page.getByRole('dialog', { name: 'Import finished' });
      await expect(outcome.getByText('2 images added.')).toBeVisible();
      await outcome.getByRole('button', { name: 'Done' }).click();
      expect(await databaseContent(page, user)).toEqual(before);

      await panel.getByTestId('gallery-import').setInputFiles(file);
      await expect(outcome.getByText('2 images were there already.')).toBeVisible();
    });

    it('B49 shows nobody else’s images, and is gone when it is deleted at the sign-out', async () => {
      const { playground, page, user, context } = await visitPlayground(console);
      await make(playground, 'a red fox');
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

    it('B50 sends no prompt anywhere but in the request for the image', async () => {
      const { playground, page } = await visitPlayground(console);
      const sent: string[] = [];
      page.on('request', (request) => {
        const isForImage = request.url().endsWith('/images/generations');
        sent.push(request.url(), isForImage ? '' : (request.postData() ?? ''));
      });
      await make(playground, canary);
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

    it('B51 shows an image that another tab made within a second', async () => {
      const { playground, context } = await visitPlayground(console);
      const there = new GalleryPage(await context.newPage());
      await there.page.goto('/gallery');
      await there.page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
      await make(playground, 'a red fox');
      await expect(there.tile('a red fox')).toBeVisible({ timeout: 1_000 });
    });

    it('keeps images only for the visit when they are not to be kept in this browser', async () => {
      const { playground, page, user } = await visitPlayground(console);
      await make(playground, 'a red fox');
      const gallery = new GalleryPage(page);
      await gallery.open();
      const panel = await gallery.openStorage();
      await panel.getByRole('switch', { name: 'Keep images in this browser' }).click();
      await page.getByRole('button', { name: 'Delete 1 image and stop' }).click();
      await expect(panel.getByText('Only until this page is closed or reloaded.')).toBeVisible();
      expect(await databaseNames(page)).not.toContain(databaseName(user.id));
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Playground' }).first().click();
      await make(playground, 'a blue hen');
      await gallery.open();
      await expect(gallery.tiles).toHaveCount(1);
      expect(await databaseNames(page)).not.toContain(databaseName(user.id));
      await page.reload();
      await expect(page.getByText('Images that you make in the playground')).toBeVisible();
    });

    it('finds, selects by Shift and Ctrl, and takes a deletion back', async () => {
      const { page, user, gallery } = await visitGallery();
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

    it('leads from image to image by keyboard, and back to where one was', async () => {
      const { page, user, gallery } = await visitGallery();
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

    it.each([
      { size: 'desktop', theme: 'light', language: 'en' },
      { size: 'phone', theme: 'dark', language: 'zh-CN' },
    ] as const)('B73 has nothing that axe finds ($size, $theme, $language)', async (how) => {
      const { page, user, gallery } = await visitGallery(how);
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

declare global {
  interface Window {
    receivedStreams?: Promise<string>[];
  }
}

/** Chromium forgets what a page has read piece by piece. */
async function rememberStreams(page: Page): Promise<void> {
  await page.evaluate(() => {
    const send = window.fetch;
    const streams: Promise<string>[] = [];
    window.receivedStreams = streams;
    window.fetch = async (input, init) => {
      const response = await send(input, init);
      if (response.url.endsWith('/images/generations')) streams.push(response.clone().text());
      return response;
    };
  });
}

/** SHA-256 of the picture in the last event of a stream. */
function hashOfFinal(stream: string): string {
  const last = stream.split('\n').findLast((line) => line.includes('.completed"')) ?? '';
  // The service's own event.
  const { b64_json } = JSON.parse(last.slice(last.indexOf('{'))) as { b64_json: string };
  return sha256(Buffer.from(b64_json, 'base64'));
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

async function leaveGallery(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  await expect(page.locator('[data-run]')).toHaveCount(0);
}

/** From the click to the first thumbnails on the page. */
function timeToFirstScreen(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const link = document.querySelector<HTMLElement>('a[href="/gallery"]');
    const isThere = () => {
      const images = [...document.querySelectorAll<HTMLImageElement>('[data-run] img')];
      return images.length >= 12 && images.slice(0, 12).every(({ complete }) => complete);
    };
    const start = performance.now();
    link?.click();
    while (!isThere()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - start;
  });
}

async function setCap(page: Page, userId: string, bytes: number): Promise<void> {
  await page.evaluate(
    async ({ name, bytes }) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
      });
      const transaction = database.transaction('meta', 'readwrite');
      transaction.objectStore('meta').put(bytes, 'capBytes');
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      database.close();
    },
    { name: databaseName(userId), bytes },
  );
}

/** How much the seeded pictures take, by the gallery's own count. */
async function facts(page: Page, userId: string): Promise<{ used: number }> {
  const { runs } = await databaseContent(page, { id: userId });
  const used = runs.values.reduce<number>((total, value) => {
    const { image, thumbBytes } = value as { image: { bytes: number }; thumbBytes: number };
    return total + image.bytes + thumbBytes;
  }, 0);
  return { used };
}
