/** Requests whose page is closed or loaded again while they run: what is paid for is not lost. */
import type { BrowserContext, Page } from '@playwright/test';
import { describe, it } from 'vitest';
import { walletOf } from '../../support/money/spending.ts';
import { type ConsoleBench, describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import {
  databaseContent,
  databaseNames,
  GalleryPage,
  makeImage,
  setCap,
} from '../support/gallery-page.ts';
import { attachMasked } from '../support/mask-page.ts';
import {
  chargesOf,
  PlaygroundPage,
  type PlaygroundVisit,
  picture,
  requestsOf,
  visitPlayground,
} from '../support/playground-page.ts';
import { expectStoredJobs, reload } from '../support/stored-jobs.ts';

const leftText =
  'The page was left while it was being made. The image was fetched without a second charge.';

describeConsole(
  (console) => {
    it('a reload after a preview loses nothing: the picture comes, is kept, and is charged once', async () => {
      const { page, user, playground } = await withPreview(
        console,
        'a fox [[delay=6s]] [[first=1s]]',
      );
      await reload(page);
      await expectRecovered(playground);
      await playground.expectKept();
      await expectStoredJobs(page, user, 0);
      expect(await requestsOf(console, user)).toMatchObject([{ status: 'succeeded' }]);
      expect(await chargesOf(console, user)).toEqual([-80_000]);
      const { database } = console.app;
      expect(await walletOf(database, user.id)).toBe('4.88 balance, 0.00 held, 0 slots');
      // And once only.
      await page.reload();
      await playground.model.waitFor();
      const gallery = new GalleryPage(page);
      await gallery.open();
      await expect(gallery.tile('a fox')).toHaveCount(1);
      expect(await requestsOf(console, user)).toHaveLength(1);
    });

    it('a page that is opened when all is done already gets the picture, too', async () => {
      const { page, context, user } = await withPreview(console, 'a fox [[delay=6s]] [[first=1s]]');
      await page.close();
      await expectStatuses(console, user, ['succeeded']);
      await expectRecovered(await openPlayground(context));
      expect(await chargesOf(console, user)).toEqual([-80_000]);
    });

    it('an edit is asked for with its references and its mask, and keeps them', async () => {
      const visit = await visitPlayground(console);
      const { page, user, playground } = visit;
      await attachMasked(playground);
      await startToPreview(visit, 'a fox [[delay=6s]] [[first=1s]]');
      await reload(page);
      await expectRecovered(playground);
      await playground.expectKept();
      const { runs, refs, masks } = await databaseContent(page, user);
      expect(runs.values).toMatchObject([
        {
          operation: 'edit',
          references: [{ name: 'one.png' }, { name: 'two.png' }],
          hasMask: true,
        },
      ]);
      expect([refs.keys.length, masks.keys]).toEqual([2, runs.keys]);
      expect(await requestsOf(console, user)).toMatchObject([
        { status: 'succeeded', operation: 'edit' },
      ]);
      expect(await chargesOf(console, user)).toEqual([-80_000]);
    });

    it('another tab takes nothing up that a page goes on with, until that page is closed', async () => {
      const { page, context, user, playground } = await withPreview(
        console,
        'a fox [[delay=15s]] [[first=1s]]',
      );
      const other = await openPlayground(context);
      let asked = 0;
      other.page.on('request', (request) => {
        if (request.url().endsWith('/images/generations')) asked++;
      });
      await other.page.reload();
      await other.model.waitFor();
      // It has found the request, and waits for the page that has it.
      await expect.poll(() => waitingFor(other.page)).toBe(1);
      await expect(other.state('Running')).toHaveCount(0);
      await expect(playground.state('Running')).toBeVisible();
      expect(asked).toBe(0);
      await page.close();
      await expectRecovered(other);
      expect(asked).toBe(1);
      expect(await requestsOf(console, user)).toHaveLength(1);
      expect(await chargesOf(console, user)).toEqual([-80_000]);
    });

    it('one of two tabs gets what a third has left', async () => {
      const { page, context, user } = await withPreview(
        console,
        'a fox [[delay=12s]] [[first=1s]]',
      );
      const others = [await openPlayground(context), await openPlayground(context)];
      const sent = others.map(({ page: each }) => sendsOf(each));
      for (const { page: each } of others) await expect.poll(() => waitingFor(each)).toBe(2);
      await page.close();
      await expectStatuses(console, user, ['succeeded']);
      await expect.poll(() => sent.flatMap((urls) => urls)).toHaveLength(1);
      await expect
        .poll(async () => (await databaseContent(others[0]?.page ?? page, user)).runs.keys.length)
        .toBe(1);
      expect(sent.flatMap((urls) => urls)).toHaveLength(1);
      expect(await chargesOf(console, user)).toEqual([-80_000]);
    });

    it('a tab whose user has signed out leaves it for when they sign in again', async () => {
      const { page, context, user } = await withPreview(
        console,
        'a fox [[delay=15s]] [[first=1s]]',
      );
      const { page: other } = await openPlayground(context);
      await expect.poll(() => waitingFor(other)).toBe(1);
      await other.getByRole('button', { name: /^Signed in as/ }).click();
      await other.getByRole('menuitem', { name: 'Sign out' }).click();
      await other.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      await other.getByRole('link', { name: 'Sign in' }).waitFor();
      await page.close();
      await expect.poll(() => waitingFor(other)).toBe(0);
      await expectStatuses(console, user, ['succeeded']);
      await expectStoredJobs(other, user, 1);
      await console.signIn(context, user);
      await expectRecovered(await openPlayground(context));
      expect(await chargesOf(console, user)).toEqual([-80_000]);
    });

    it('a request that failed meanwhile ends so, and is not made anew', async () => {
      const { page, user, playground } = await visitPlayground(console);
      await playground.generate('a fox [[delay=5s]] [[fail=refused]]');
      await expect(playground.state('Running')).toBeVisible();
      await expectStoredJobs(page, user, 1);
      page.once('dialog', (dialog) => void dialog.accept());
      await page.goto('about:blank');
      await expectStatuses(console, user, ['failed']);
      await page.goto('/playground');
      await expect(playground.state('Failed')).toBeVisible({ timeout: 20_000 });
      await expect(page.getByText('You were not charged.')).toBeVisible();
      await expectStoredJobs(page, user, 0);
      expect(await requestsOf(console, user)).toHaveLength(1);
    });

    it('a picture for which there is no room is fetched once more, if its request took none', async () => {
      const { page, user, playground } = await visitPlayground(console);
      await makeImage(playground, 'a red fox');
      await setCap(page, user.id, 1);
      const full = playground.stage.getByText(/no room left in this browser/);
      await playground.generate('a hare');
      await expect(full).toBeVisible({ timeout: 20_000 });
      await expectStoredJobs(page, user, 1);
      await reload(page);
      await expectRecovered(playground);
      await expect(full).toBeVisible();
      await playground.attach(await picture('one.png', 'teal'));
      await expect(page.getByRole('img', { name: 'Image 1: one.png' })).toBeVisible();
      await playground.generate('an owl');
      await expect(page.getByRole('img', { name: 'Generated image: an owl' })).toBeVisible();
      await expect(full).toBeVisible({ timeout: 20_000 });
      await expectStoredJobs(page, user, 1);
      expect(await chargesOf(console, user)).toEqual([-80_000, -80_000, -80_000]);
    });

    it('where a browser has no locks, as by plain http, the same tab goes on', async () => {
      const visit = await visitPlayground(console);
      await visit.context.addInitScript(() => {
        Object.defineProperty(navigator, 'locks', { value: undefined });
      });
      await visit.page.reload();
      await startToPreview(visit, 'a fox [[delay=10s]] [[first=1s]]');
      const other = await openPlayground(visit.context);
      await expect(other.state('Running')).toHaveCount(0);
      await reload(visit.page);
      await expectRecovered(visit.playground);
      expect(await chargesOf(console, visit.user)).toEqual([-80_000]);
    });

    describe('nothing is written down', () => {
      it('in a browser that is to keep no pictures', async () => {
        const user = await console.addUser();
        const { page, context } = await console.visit('/usage', { user });
        await context.addInitScript((id) => {
          localStorage.setItem(`tintype.gallery.session-only.${id}`, '1');
        }, user.id);
        await page.goto('/playground');
        const playground = new PlaygroundPage(page);
        await playground.generate('a fox [[delay=6s]] [[first=1s]]');
        await playground.expectPreview();
        await playground.expectResult();
        await playground.expectKept();
        expect(await databaseNames(page)).toEqual([]);
      });

      it('any more once everything is deleted at the sign-out', async () => {
        const { page, user, playground } = await visitPlayground(console);
        await playground.generate('a fox [[delay=60s]]');
        await expect(playground.state('Running')).toBeVisible();
        await expectStoredJobs(page, user, 1);
        await page.getByRole('button', { name: /^Signed in as/ }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        const dialog = page.getByRole('dialog', { name: 'Sign out' });
        await expect(dialog.getByText(/^Requests of yours are under way/)).toBeVisible();
        await dialog.getByRole('radio', { name: 'Delete them from this browser' }).check();
        await dialog.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('link', { name: 'Sign in' }).waitFor();
        await expect.poll(() => databaseNames(page)).toEqual([]);
      });

      it('of anybody else who signs in, whose page shows nothing of it', async () => {
        const { page, context } = await withPreview(console, 'a fox [[delay=6s]] [[first=1s]]');
        await page.close();
        const guest = await console.addUser();
        await console.signIn(context, guest);
        const playground = await openPlayground(context);
        await playground.generate('a hare');
        await playground.expectResult();
        const strip = playground.page.getByRole('navigation', { name: 'Recent images' });
        await expect(strip.getByRole('button')).toHaveCount(1);
        expect(await chargesOf(console, guest)).toEqual([-80_000]);
      });
    });
  },
  { expectedMessages: /status of 400/ },
);

describeConsole(
  (console) => {
    it('a picture that is no longer kept was charged all the same, and the page says so once', async () => {
      const { page, user, playground } = await withPreview(
        console,
        'a fox [[delay=6s]] [[first=1s]]',
      );
      page.once('dialog', (dialog) => void dialog.accept());
      await page.goto('about:blank');
      await expectStatuses(console, user, ['succeeded']);
      await page.goto('/playground');
      const lost = page.getByText(/was charged, but the image is no longer available\.$/);
      await expect(lost).toBeVisible({ timeout: 20_000 });
      await expectStoredJobs(page, user, 0);
      await page.reload();
      await playground.model.waitFor();
      await expect(lost).toHaveCount(0);
      expect(await chargesOf(console, user)).toEqual([-80_000]);
    });

    it('a picture of which no preview was seen costs nothing then, and is not made anew', async () => {
      const { page, user, playground } = await visitPlayground(console);
      await playground.choose('Previews', '0');
      await playground.generate('a fox [[delay=5s]]');
      await expectStoredJobs(page, user, 1);
      page.once('dialog', (dialog) => void dialog.accept());
      await page.goto('about:blank');
      await expectStatuses(console, user, ['canceled']);
      await page.goto('/playground');
      const returned = page.getByText('The charge was returned.');
      await expect(returned).toBeVisible({ timeout: 20_000 });
      await expect(page.getByText('The image was not fetched in time.')).toBeVisible();
      await expectStoredJobs(page, user, 0);
      expect(await requestsOf(console, user)).toHaveLength(1);
      const { database } = console.app;
      expect(await walletOf(database, user.id)).toBe('4.96 balance, 0.00 held, 0 slots');
    });
  },
  // An answer that nobody takes is forgotten at once.
  { config: { idempotencyReplayMs: 0 }, expectedMessages: /status of 400/ },
);

async function withPreview(console: ConsoleBench, prompt: string): Promise<PlaygroundVisit> {
  const visit = await visitPlayground(console);
  await startToPreview(visit, prompt);
  return visit;
}

/** From here on the picture is paid for, whoever takes it. */
async function startToPreview({ page, user, playground }: PlaygroundVisit, prompt: string) {
  await playground.generate(prompt);
  await playground.expectPreview();
  await expectStoredJobs(page, user, 1);
}

async function openPlayground(context: BrowserContext): Promise<PlaygroundPage> {
  const page = await context.newPage();
  await page.goto('/playground');
  const playground = new PlaygroundPage(page);
  await playground.model.waitFor();
  return playground;
}

async function expectRecovered(playground: PlaygroundPage): Promise<void> {
  await playground.expectResult();
  await expect(playground.page.getByText(leftText)).toBeVisible();
}

async function expectStatuses(
  console: ConsoleBench,
  user: PlaygroundVisit['user'],
  statuses: readonly string[],
): Promise<void> {
  await expect
    .poll(async () => (await requestsOf(console, user)).map(({ status }) => status), {
      timeout: 20_000,
    })
    .toEqual(statuses);
}

/** How many pages of its browser wait for the end of another one. */
function waitingFor(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.locks.query()).pending?.length ?? 0);
}

function sendsOf(page: Page): readonly string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/images/generations')) urls.push(request.url());
  });
  return urls;
}
