/** Masks by a hand that slips: half of a rectangle, keys in the wrong place, files that are dropped on it. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { makeImage } from '../support/gallery-page.ts';
import { hand } from '../support/hand.ts';
import { MaskEditorPage, visitMaskEditor } from '../support/mask-page.ts';
import { picture, visitPlayground } from '../support/playground-page.ts';

const wide = { width: 1536, height: 1024 };
const nothing = '0% will change';

describeConsole((console) => {
  it('counts half of a rectangle only as long as it is to be made', async () => {
    const { page, editor } = await visitMaskEditor(console, wide);
    const begin = async () => {
      await editor.choose('Rectangle');
      await editor.click(0.3, 0.3);
      await editor.hover(0.5, 0.5);
      await expect(editor.coverage).not.toHaveText(nothing);
    };
    await begin();
    await page.keyboard.press('Escape');
    await expect(editor.coverage).toHaveText(nothing);
    await expect(editor.saveButton).toHaveAttribute('aria-disabled', 'true');
    await begin();
    await page.keyboard.press('b');
    await expect(editor.coverage).toHaveText(nothing);
    await editor.hover(0.6, 0.6);
    await editor.stroke([0.8, 0.8]);
    await expect(editor.coverage).toHaveText('0.2% will change');
    await editor.button('Undo').click();
    await expect(editor.coverage).toHaveText(nothing);
    await begin();
    await editor.saveButton.hover();
    await expect(editor.coverage).toHaveText(nothing);
  });

  it('counts a spot, however small, in a browser that shrinks pictures in the quick way', async () => {
    const { page, editor } = await visitMaskEditor(console, { width: 3840, height: 2160 });
    await page.evaluate(lookAtFewPixels);
    await editor.setSize(8);
    await editor.click(0.5, 0.5);
    await expect(editor.coverage).toHaveText('Under 0.1% will change');
  });

  it('takes the tap on Undo that follows a quick stroke of a finger', async () => {
    const { page, editor } = await visitMaskEditor(console, wide, { size: 'phone' });
    const { x, y, width, height } = must(await editor.place.boundingBox(), 'the place to paint on');
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...along: readonly number[]) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: along.map((part) => ({ x: x + part * width, y: y + height / 2 })),
      });
    await touch('touchStart', 0.3);
    for (const along of [0.4, 0.5, 0.6]) await touch('touchMove', along);
    await touch('touchEnd');
    await expect(editor.coverage).not.toHaveText(nothing);
    await editor.button('Undo').tap();
    await expect(editor.coverage).toHaveText(nothing);
  });

  it('saves nothing by a key that is pressed while it asks whether to throw it away', async () => {
    const { page, editor } = await visitMaskEditor(console, wide);
    await editor.click(0.5, 0.5);
    const painted = await editor.coverage.textContent();
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard the changes?' });
    await expect(question).toBeVisible();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Enter');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(editor.coverage).toHaveText(painted ?? '');
  });

  it('takes keys for the brush and the original that need no AltGr on any keyboard', async () => {
    const { page, editor } = await visitMaskEditor(console, wide);
    const size = editor.dialog.getByRole('slider', { name: 'Size' });
    await editor.setSize(100);
    await editor.click(0.5, 0.5);
    for (const [larger, smaller] of [
      [']', '['],
      ['.', ','],
    ] as const) {
      await page.keyboard.press(larger);
      await expect(size).toHaveValue('115');
      await page.keyboard.press(smaller);
      await expect(size).toHaveValue('100');
    }
    const original = editor.button('Show original');
    for (const key of ['\\', 'm']) {
      await page.keyboard.down(key);
      await expect(original).toHaveAttribute('aria-pressed', 'true');
      await page.keyboard.up(key);
      await expect(original).toHaveAttribute('aria-pressed', 'false');
    }
  });

  it('is of one row or column too, however long', async () => {
    const { editor } = await visitMaskEditor(console, { width: 1, height: 6_000 });
    await editor.button('Invert').click();
    await expect(editor.coverage).toHaveText('100% will change');
    await editor.save();
  });

  it('is opened once by a double click, with one reference', async () => {
    const { page, playground } = await visitPlayground(console);
    const editor = new MaskEditorPage(page);
    await makeImage(playground, 'a fox');
    await page.getByRole('button', { name: 'Edit with mask' }).dblclick();
    await editor.button('Invert').click();
    await editor.save();
    // The picture, and the button that adds another.
    await expect(playground.references).toHaveCount(2);
    await page.getByRole('button', { name: 'Change the mask of image 1' }).dblclick();
    await expect(editor.coverage).toHaveText('100% will change');
    await page.keyboard.press('Escape');
    await expect(editor.dialog).toBeHidden();
    await page.getByRole('button', { name: 'Use as reference' }).dblclick();
    await expect(page.getByRole('img', { name: /^Image 2: / })).toBeVisible();
    await expect(playground.references).toHaveCount(3);
  });

  it.each([
    ['Change the mask of image 1', 'where the picture is'],
    ['Edit with mask', 'where its tools are'],
  ])('does nothing by the second click on "%s", which comes when it is there, %s', async (name) => {
    const { page, playground } = await visitPlayground(console);
    const editor = new MaskEditorPage(page);
    await makeImage(playground, 'a fox');
    await page.getByRole('button', { name: 'Edit with mask' }).click();
    await editor.button('Invert').click();
    await editor.save();
    const button = must(await page.getByRole('button', { name }).boundingBox(), name);
    await page.mouse.move(button.x + button.width / 2, button.y + button.height / 2);
    await page.mouse.down();
    await page.mouse.up();
    await expect(editor.coverage).toBeVisible();
    const painted = await editor.coverage.textContent();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await expect(editor.coverage).toHaveText(painted ?? '');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  it('takes no file for a reference that is dropped or pasted over it', async () => {
    const { page, playground, editor } = await visitMaskEditor(console, wide);
    for (const how of ['drop', 'paste'] as const) {
      await hand(page, how, await picture('mask.png', 'black'));
    }
    await editor.button('Cancel').click();
    await expect(editor.dialog).toBeHidden();
    await hand(page, 'drop', await picture('late.png', 'gold'));
    await expect(page.getByRole('img', { name: 'Image 2: late.png' })).toBeVisible();
    await expect(playground.references).toHaveCount(3);
  });

  it.each(['desktop', 'phone'] as const)('breaks no name of a tool (%s)', async (size) => {
    const { page } = await visitMaskEditor(console, wide, { size });
    for (const name of ['Brush', 'Eraser', 'Rectangle', 'Pan']) {
      expect(await linesOf(page, name)).toBe(1);
    }
  });
});

function linesOf(page: Page, text: string): Promise<number> {
  return page.getByText(text, { exact: true }).evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  });
}

/** As Firefox: of what becomes less than half as large, most pixels are skipped. */
function lookAtFewPixels(): void {
  const { prototype } = OffscreenCanvasRenderingContext2D;
  prototype.drawImage = new Proxy(
    // oxlint-disable-next-line typescript/unbound-method -- called with the context that it is asked of
    prototype.drawImage,
    {
      apply: (draw, context: OffscreenCanvasRenderingContext2D, wish: DrawWish) => {
        const [source, , , width] = wish;
        context.imageSmoothingEnabled = source.width <= 2 * width;
        Reflect.apply(draw, context, wish);
      },
    },
  );
}

type DrawWish = [source: OffscreenCanvas, x: number, y: number, width: number, height: number];
