/** From the start of the process to a picture, as somebody types and clicks. */
import { rmSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { it, onTestFinished } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { type ServiceProcess, startService } from '../../support/processes/service-process.ts';
import { makeScratchFolder } from '../../support/scratch.ts';
import { describeConsole, sizes } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { firstAdmin } from '../support/setup-wizard.ts';

const keystrokeMs = 60;
const firstRunMsMax = 120_000;
const bytesPerSecond = 1024 ** 2;
/** So that a run that is too slow fails by its own number. */
const testMsMax = 240_000;

describeConsole((console) => {
  it(
    'B3 a first picture is there two minutes after the start, with two fields typed',
    async () => {
      const dataDir = makeScratchFolder('first-run');
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
      const begunMs = performance.now();
      const service = await startService({ url: null, dataDir });
      const link = await printedLink(service);
      const context = await console.browser.newContext({ viewport: sizes.desktop, locale: 'en' });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(link);
      const fieldsTyped = await watchTyping(page);

      await page.getByLabel('E-mail').pressSequentially(firstAdmin.email, { delay: keystrokeMs });
      const password = page.getByLabel('Password', { exact: true });
      await password.pressSequentially(firstAdmin.password, { delay: keystrokeMs });
      await page.getByRole('button', { name: 'Create the account' }).click();
      await page.getByRole('button', { name: 'List its models' }).click();
      await page.getByRole('button', { name: 'Offer these models' }).click();
      await expect(page.getByText('Enough for 500 requests.')).toBeVisible();
      await page.getByRole('button', { name: 'Add $5.00' }).click();
      await slowDown(page);
      const previewShown = await watchPreviews(page);
      await page.getByRole('button', { name: 'Generate' }).click();

      await expect.poll(previewShown, { timeout: firstRunMsMax }).toBe(true);
      await expect(page.getByText('Charged $0.01 · Balance $4.99')).toBeVisible({
        timeout: firstRunMsMax,
      });
      const picture = page.getByRole('img', { name: /^Generated image/ });
      await expect.poll(() => isDrawn(page)).toBe(true);
      await expect(picture).toBeInViewport();
      expect(performance.now() - begunMs).toBeLessThan(firstRunMsMax);
      expect(await fieldsTyped()).toEqual(['email', 'password']);

      await page.getByRole('link', { name: /tr_/ }).click();
      await expect(page).toHaveURL(/\/(usage|admin\/log)\/tr_/);
      await expect(page.getByText('Succeeded').first()).toBeVisible();
    },
    testMsMax,
  );
});

/** From what the process says to whoever started it. */
async function printedLink(service: ServiceProcess): Promise<string> {
  const find = () => /http:\S+\/setup#[\w-]{43}/.exec(service.output())?.[0];
  await expect.poll(find).toBeTruthy();
  return must(find(), 'the printed link');
}

/** Answers with the names of the fields that somebody typed into, from now on. */
async function watchTyping(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const names = new Set<string>();
    document.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
        names.add(target.name);
      }
    });
    Object.assign(window, { fieldsTyped: names });
  });
  return () => page.evaluate(() => [...(window as unknown as Typed).fieldsTyped]);
}

/**
 * From now on a picture takes its time to come. On a busy machine the browser would else get the preview and
 * the picture together, and show the picture only.
 */
async function slowDown(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: -1,
  });
}

/** Answers whether a preview has been on the page since, however soon the next picture took its place. */
async function watchPreviews(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (!/Preview \d/.test(document.body.innerText)) return;
      observer.disconnect();
      Object.assign(window, { previewShown: true });
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  return () => page.evaluate(() => 'previewShown' in window);
}

interface Typed {
  fieldsTyped: Set<string>;
}

function isDrawn(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const image = document.querySelector<HTMLImageElement>('figure img');
    return image?.complete === true && image.naturalWidth > 0;
  });
}
