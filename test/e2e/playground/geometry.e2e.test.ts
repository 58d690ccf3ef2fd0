/** Where things are: what is in sight without scrolling, and how a picture lies on its mat. */
import type { Locator, Page } from '@playwright/test';
import { it } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { describeConsole, sizes } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { paint } from '../support/paint.ts';
import { type PlaygroundPage, visitPlayground } from '../support/playground-page.ts';

const shapes = ['1:1', '3:2', '2:3'];

describeConsole((console) => {
  it('B36 shows prompt, model, cost and Generate without scrolling at 1280 × 720', async () => {
    const { playground, page } = await visitPlayground(console);
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const part of [
      playground.prompt,
      playground.model,
      playground.cost,
      playground.generateButton,
    ]) {
      await expect(part).toBeInViewport({ ratio: 1 });
    }
    await playground.prompt.fill('a line\n'.repeat(30));
    await expect(playground.generateButton).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(720);
    expect(await endOf(playground.stage)).toBe(720);
  });

  it('leaves the prompt and Generate in sight in a low window, as at 200 %', async () => {
    const { playground, page } = await visitPlayground(console);
    await page.setViewportSize({ width: 640, height: 400 });
    await expect(page.getByText('Your image appears here.')).toBeInViewport({ ratio: 1 });
    await expect(playground.generateButton).toBeInViewport({ ratio: 1 });
    const topOf = async (part: Locator) => must(await part.boundingBox(), 'what is shown').y;
    const linePx = 22;
    const room = (await topOf(playground.cost)) - (await topOf(playground.prompt));
    expect(room).toBeGreaterThan(3 * linePx);
    await playground.generate('a fox');
    await playground.expectResult();
    expect(must(await playground.mat.boundingBox(), 'the mat').height).toBe(224);
  });

  it.each([
    { size: 'desktop', margin: 32 },
    { size: 'phone', margin: 16 },
  ] as const)('B36 leaves $margin px around every picture ($size)', async ({ size, margin }) => {
    const { playground } = await visitPlayground(console, {}, { size });
    for (const shape of shapes) {
      await playground.choose('Size', shape);
      await playground.generate(`a fox ${shape}`);
      await expectResultOf(playground, `a fox ${shape}`);
      expect(await roomAround(playground.result, playground)).toBeGreaterThanOrEqual(margin - 0.5);
    }
  });

  it.each(Object.keys(sizes) as (keyof typeof sizes)[])(
    'B37 keeps the picture within the mat in every state (%s)',
    async (size) => {
      const { playground, page } = await visitPlayground(console, {}, { size });
      const least = await recordRoom(page);
      for (const shape of shapes) {
        const prompt = `a fox ${shape} [[delay=2s]]`;
        await playground.choose('Size', shape);
        await playground.generate(prompt);
        await expectResultOf(playground, prompt);
      }
      await page.getByRole('button', { name: 'Compare' }).click();
      for (const mode of ['Slider', 'Side by side', 'Hold']) {
        await page.getByRole('radio', { name: mode }).check({ force: true });
        await expect(playground.mat.locator('img').first()).toBeVisible();
      }
      const rooms = await least();
      expect(Object.keys(rooms).toSorted()).toEqual(['compared', 'preview', 'result']);
      for (const room of Object.values(rooms)) expect(room).toBeGreaterThanOrEqual(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        sizes[size].width,
      );
    },
  );

  it('never enlarges a picture beyond its own pixels, unless it is zoomed', async () => {
    const { playground, page } = await visitPlayground(console);
    await page.setViewportSize({ width: 3840, height: 2160 });
    await playground.choose('Size', '3:2');
    await playground.generate('a fox');
    await playground.expectResult();
    expect((await playground.result.boundingBox())?.width).toBe(1536);
    await page.getByRole('heading', { level: 1 }).focus();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect
      .poll(async () => (await playground.result.boundingBox())?.width)
      .toBeGreaterThan(1536);
    await page.keyboard.press('0');
    await expect.poll(async () => (await playground.result.boundingBox())?.width).toBe(1536);
  });

  it('shows the squares of the mat behind a transparent picture, and only there', async () => {
    const { playground } = await visitPlayground(console);
    const behind = () =>
      playground.result.locator('..').evaluate((sheet) => getComputedStyle(sheet).backgroundImage);
    await playground.generate('a fox');
    await expectResultOf(playground, 'a fox');
    expect(await behind()).toBe('none');
    await playground.choose('Background', 'Transparent');
    await playground.generate('a hare');
    await expectResultOf(playground, 'a hare');
    expect(await behind()).toContain('repeating-conic-gradient');
  });
});

async function endOf(part: Locator): Promise<number> {
  const { y, height } = must(await part.boundingBox(), 'a part that is shown');
  return y + height;
}

async function expectResultOf(playground: PlaygroundPage, prompt: string): Promise<void> {
  await expect(playground.result).toHaveAttribute('alt', `Generated image: ${prompt}`, {
    timeout: 20_000,
  });
  // Its address is there with it, its pixels a moment later.
  await expect
    .poll(() => playground.result.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}

/**
 * Looks at every picture on the mat in every frame from now on: previews do not wait to be measured.
 * Returns how much of the mat was seen at the narrowest place beside each kind of them.
 */
async function recordRoom(page: Page): Promise<() => Promise<Readonly<Record<string, number>>>> {
  const rooms = await page.evaluateHandle(() => {
    const rooms: Record<string, number> = {};
    const look = () => {
      const mat = document.querySelector('[data-testid=mat]');
      for (const picture of mat?.querySelectorAll('img') ?? []) {
        const outer = mat?.getBoundingClientRect() ?? new DOMRect();
        const inner = picture.getBoundingClientRect();
        const kind = picture.dataset['testid'] ?? 'compared';
        const room = Math.min(
          inner.left - outer.left,
          inner.top - outer.top,
          outer.right - inner.right,
          outer.bottom - inner.bottom,
        );
        if (inner.width > 0) rooms[kind] = Math.min(rooms[kind] ?? Number.POSITIVE_INFINITY, room);
      }
      requestAnimationFrame(look);
    };
    look();
    return rooms;
  });
  return async () => {
    // What came since the last frame is looked at in the next.
    await paint(page, { frames: 2 });
    return rooms.jsonValue();
  };
}

/** How much of the mat is seen at the narrowest place beside a picture; less than 0 is outside of it. */
async function roomAround(picture: Locator, { mat }: PlaygroundPage): Promise<number> {
  const outer = must(await mat.boundingBox(), 'a mat');
  const inner = must(await picture.boundingBox(), 'a picture on the mat');
  return Math.min(
    inner.x - outer.x,
    inner.y - outer.y,
    outer.x + outer.width - inner.x - inner.width,
    outer.y + outer.height - inner.y - inner.height,
  );
}
