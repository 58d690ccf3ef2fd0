/** A request while it runs: what is shown, and what is said. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { visitPlayground } from '../support/playground-page.ts';
import { recordMessages, recordTexts } from '../support/recorded-texts.ts';

/** Before the next one could be there, on any machine. */
const shownMsMax = 1_000;

describeConsole((console) => {
  it('B13 shows three previews in order, then the picture', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.choose('Previews', '3');
    const texts = await recordTexts(page, '[data-testid=mat]');
    await playground.generate('a fox [[delay=2s]]');
    await playground.expectResult();
    const labels = (await texts()).filter((text) => text.includes('Preview'));
    expect([...new Set(labels)]).toEqual(['Preview 1 of 3', 'Preview 2 of 3', 'Preview 3 of 3']);
    await expect(playground.preview).toHaveCount(0);
  });

  it('B13 shows a preview as soon as its event is there', async () => {
    const { playground, page } = await visitPlayground(console);
    await page.evaluate(() => {
      const times: number[] = [];
      Object.assign(window, { previewTimes: times });
      // The blob of a preview is made when its event has arrived, its address when it is shown.
      const create = URL.createObjectURL.bind(URL);
      const made = new WeakMap<Blob, number>();
      window.Blob = class extends Blob {
        constructor(parts?: BlobPart[], options?: BlobPropertyBag) {
          super(parts, options);
          made.set(this, performance.now());
        }
      };
      URL.createObjectURL = (blob: Blob) => {
        const at = made.get(blob);
        const url = create(blob);
        if (at !== undefined) {
          requestAnimationFrame(() => times.push(performance.now() - at));
        }
        return url;
      };
    });
    await playground.choose('Previews', '3');
    await playground.generate('a fox [[delay=2s]]');
    await playground.expectResult();
    const times = await page.evaluate(
      // Put there above.
      () => (window as unknown as { previewTimes: number[] }).previewTimes,
    );
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...times)).toBeLessThan(shownMsMax);
  });

  it('B14 counts real seconds, on the page and in the tab', async () => {
    const { playground, page } = await visitPlayground(console);
    await page.clock.install();
    await playground.generate('a fox [[delay=4s]]');
    await expect(playground.state('Running')).toBeVisible();
    const before = await secondsOf(page);
    await page.clock.fastForward(60_000);
    await expect(async () => {
      const passed = (await secondsOf(page)) - before;
      expect(passed).toBeGreaterThanOrEqual(59);
      expect(passed).toBeLessThanOrEqual(66);
    }).toPass();
    expect(await page.title()).toMatch(/^\(1:\d\d\) Playground/);
    await playground.expectResult();
    expect(await page.title()).toMatch(/^✓ Playground/);
  });

  it('B15 says at most six things aloud during 60 s with three previews', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.choose('Previews', '3');
    const said = await recordMessages(page);
    await page.clock.install();
    await playground.generate('a fox [[delay=4s]]');
    await expect(playground.state('Running')).toBeVisible();
    // A clock in a live region would speak sixty times by now.
    await page.clock.runFor(60_000);
    await playground.expectResult();
    const messages = await said();
    expect(messages.length).toBeLessThanOrEqual(6);
    expect(messages).toEqual([
      'Request started.',
      'Preview 1.',
      'Preview 2.',
      'Preview 3.',
      'Image finished.',
    ]);
  });

  it('B16 writes no percentage and no stage that the service did not send', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.choose('Previews', '3');
    const recorded = await recordTexts(page, 'main');
    await playground.generate('a fox [[delay=3s]] [[first=1s]]');
    await playground.expectResult();
    const texts = await recorded();
    // The words of the states themselves, and what came of the stream: numbers of previews.
    expect(texts.some((text) => text.includes('Running'))).toBe(true);
    for (const text of texts) {
      expect(text).not.toMatch(/\d\s?%/);
      expect(text).not.toMatch(inventedStages);
    }
    await expect(page.getByRole('progressbar')).toHaveCount(0);
  });

  it('B20 asks before the tab is closed, and only then', async () => {
    const { playground, page } = await visitPlayground(console);
    let asked = 0;
    page.on('dialog', (dialog) => {
      asked++;
      void dialog.dismiss();
    });
    await playground.generate('a fox [[delay=60s]]');
    await expect(playground.state('Running')).toBeVisible();
    await page.evaluate(() => window.location.reload());
    await expect.poll(() => asked).toBe(1);
    await expect(playground.state('Running')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(playground.state('Cancelled')).toBeVisible();
    await page.reload();
    await playground.model.waitFor();
    expect(asked).toBe(1);
  });

  it('asks before the tab is closed as long as a picture is not in the gallery yet', async () => {
    const { playground, page } = await visitPlayground(console);
    let asked = 0;
    page.on('dialog', (dialog) => {
      asked++;
      void dialog.dismiss();
    });
    const keep = await holdThumbnails(page);
    await playground.generate('a fox');
    await playground.expectResult();
    await page.evaluate(() => window.location.reload());
    await expect.poll(() => asked).toBe(1);
    await keep();
    await playground.expectKept();
    await page.reload();
    await playground.model.waitFor();
    expect(asked).toBe(1);
  });
});

/** No picture is put into the gallery before the returned function is called. */
async function holdThumbnails(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    globalThis.OffscreenCanvas = class extends OffscreenCanvas {
      override async convertToBlob(options?: ImageEncodeOptions) {
        await promise;
        return super.convertToBlob(options);
      }
    };
    addEventListener('keep-pictures', () => resolve(), { once: true });
  });
  return () => page.evaluate(() => void dispatchEvent(new Event('keep-pictures')));
}

/** What peers write while nothing is known. */
const inventedStages =
  /analy[sz]ing|composing|denoising|diffusing|drawing|enhancing|finali[sz]ing|painting|preparing|processing|refining|rendering|sketching|thinking|almost|step \d/i;

async function secondsOf(page: Page): Promise<number> {
  const [minutes = '0', seconds = '0'] = (await page.getByTestId('elapsed').innerText()).split(':');
  return Number(minutes) * 60 + Number(seconds);
}
