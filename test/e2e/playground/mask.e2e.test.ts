/** Masks: painted, typed, brought along, and sent. */

import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { it } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { GalleryPage, makeImage } from '../support/gallery-page.ts';
import { MaskEditorPage, mayChange, sentMask, visitMaskEditor } from '../support/mask-page.ts';
import { visitPlayground } from '../support/playground-page.ts';

const wide = { width: 1536, height: 1024 };

describeConsole((console) => {
  it('B38 is as large as its reference, whatever happens to the window while it is painted', async () => {
    const { playground, editor } = await visitMaskEditor(console, wide);
    await editor.stroke([0.3, 0.3], [0.7, 0.3]);
    const before = await editor.coverage.textContent();
    await editor.resizeWindow({ width: 900, height: 560 });
    await expect(editor.coverage).toHaveText(before ?? '');
    // A dot in the middle, which is the middle of the picture in any window.
    await editor.click(0.5, 0.5);
    await expect(editor.coverage).not.toHaveText(before ?? '');
    await editor.save();
    const mask = await sentMask(playground);
    expect([mask.width, mask.height]).toEqual([1536, 1024]);
    expect(mayChange(mask, 0.5, 0.5)).toBe(true);
    expect(mayChange(mask, 0.5, 0.26)).toBe(true);
    expect(mayChange(mask, 0.5, 0.4)).toBe(false);
    expect(mayChange(mask, 0.05, 0.5)).toBe(false);
  });

  it('is closed by going back, which asks before what was painted is lost', async () => {
    const { page, editor } = await visitMaskEditor(console, wide);
    await editor.button('Cancel').click();
    await page.getByRole('link', { name: 'Gallery', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Gallery' })).toBeVisible();
    await page.getByRole('link', { name: 'Playground', exact: true }).click();
    await editor.open();
    await editor.stroke([0.3, 0.3], [0.7, 0.3]);
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Discard the changes?' });
    await expect(question).toBeVisible();
    await expect(page).toHaveURL(/\/playground$/);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await page.goBack();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(editor.dialog).toBeHidden();
    await expect(page).toHaveURL(/\/playground$/);
    await editor.open();
    await page.goBack();
    await expect(editor.dialog).toBeHidden();
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  });

  it('B39 has no pixel half in it, and is small even for 3840 × 2160', async () => {
    const { playground, editor } = await visitMaskEditor(console, { width: 3840, height: 2160 });
    // A spot counts, in whichever place.
    await editor.setSize(8);
    await editor.click(0.5, 0.5);
    await expect(editor.coverage).toHaveText('Under 0.1% will change');
    await editor.setSize(300);
    for (const y of [0.3, 0.5, 0.7]) await editor.stroke([0.2, y], [0.5, y - 0.1], [0.8, y]);
    await editor.save();
    const mask = await sentMask(playground);
    expect([mask.width, mask.height]).toEqual([3840, 2160]);
    expect(new Set(mask.alpha)).toEqual(new Set([0, 255]));
    expect(mask.bytes).toBeLessThan(4_000_000);
  });

  it('B40 leaves a stroke as it is when the brush changes, and undoes fifty strokes to nothing', async () => {
    const { page, playground, editor } = await visitMaskEditor(console, wide);
    await editor.setSize(40);
    await editor.stroke([0.3, 0.2], [0.6, 0.2]);
    const thin = await editor.coverage.textContent();
    await editor.setSize(200);
    await expect(editor.coverage).toHaveText(thin ?? '');
    for (let count = 1; count < 50; count++) await editor.click(0.2 + count * 0.012, 0.7);
    const all = await editor.coverage.textContent();
    for (let count = 0; count < 50; count++) await page.keyboard.press('Control+z');
    await expect(editor.coverage).toHaveText('0% will change');
    await expect(editor.button('Undo')).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Control+Shift+z');
    await expect(editor.coverage).toHaveText(thin ?? '');
    for (let count = 1; count < 50; count++) await editor.button('Redo').click();
    await expect(editor.coverage).toHaveText(all ?? '');
    await editor.save();
    const mask = await sentMask(playground);
    // Forty pixels; the rows at its two edges count when half of them is in it.
    const column = Array.from({ length: 512 }, (_, y) => mask.alpha[y * mask.width + 690]);
    const rows = column.filter((alpha) => alpha === 0).length;
    expect(Math.abs(rows - 40)).toBeLessThanOrEqual(1);
  });

  it('B41 can be made with the keyboard alone', async () => {
    const { page, playground, editor } = await visitMaskEditor(console, wide);
    const left = editor.dialog.getByRole('textbox', { name: 'Left' });
    for (let steps = 0; steps < 30; steps++) {
      if (await left.evaluate((field) => field === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(left).toBeFocused();
    for (const value of ['10', '20', '30', '40']) {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(value);
      if (value !== '40') await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await expect(editor.coverage).toHaveText('12% will change');
    await page.keyboard.press('Control+Enter');
    await expect(editor.dialog).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Enter');
    await expect(editor.dialog).toBeHidden();
    const mask = await sentMask(playground);
    expect([mayChange(mask, 0.11, 0.21), mayChange(mask, 0.39, 0.59)]).toEqual([true, true]);
    expect([mayChange(mask, 0.09, 0.3), mayChange(mask, 0.41, 0.3)]).toEqual([false, false]);
  });

  it('B41 can be made by clicks without dragging', async () => {
    const { editor } = await visitMaskEditor(console, wide);
    await editor.choose('Rectangle');
    await editor.click(0.4, 0.4);
    await expect(editor.coverage).toHaveText('0% will change');
    await editor.click(0.6, 0.6);
    await expect(editor.coverage).not.toHaveText('0% will change');
  });

  it('B42 cannot be saved while it is empty, and says why', async () => {
    const { editor } = await visitMaskEditor(console, wide);
    await expect(editor.saveButton).toHaveAccessibleDescription(/Nothing would change/);
    await editor.saveButton.click({ force: true });
    await expect(editor.dialog).toBeVisible();
    await editor.button('Invert').click();
    await expect(editor.coverage).toHaveText('100% will change');
    await expect(editor.dialog.getByText('The whole image will change.')).toBeVisible();
  });

  it('B42 stays with its reference when it is sent, through another model and another page', async () => {
    const { page, playground, editor } = await visitMaskEditor(console, wide);
    await editor.stroke([0.3, 0.5], [0.7, 0.5]);
    await editor.save();
    const first = await sentMask(playground);
    await playground.expectResult();
    await playground.chooseModel('gen-image-2');
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await page.getByRole('link', { name: 'Playground' }).click();
    await editor.open();
    await expect(editor.coverage).not.toHaveText('0% will change');
    await editor.button('Cancel').click();
    await expect(editor.dialog).toBeHidden();
    const second = await sentMask(playground);
    expect(second.alpha.equals(first.alpha)).toBe(true);
  });

  it('B43 keeps pixels outside the mask exactly, beside the picture that the model made', async () => {
    // A size that the sandbox answers in, so that nothing is scaled.
    const size = { width: 1024, height: 1024 };
    const { page, playground, editor } = await visitMaskEditor(console, size);
    await playground.page.evaluate(() => window.sentForms?.splice(0));
    const region = { Left: '25', Top: '25', Width: '50', Height: '50' };
    for (const [name, value] of Object.entries(region)) {
      await editor.dialog.getByRole('textbox', { name }).fill(value);
    }
    await editor.button('Add region').click();
    await editor.dialog.getByRole('switch', { name: 'Keep pixels outside the mask' }).check();
    await editor.save();
    await playground.choose('Size', '1:1');
    await playground.generate('a fox');
    await playground.expectResult();
    await page.getByRole('link', { name: 'Gallery' }).click();
    const composited = page.locator('[data-run]').filter({ hasText: 'Composited' });
    await expect(composited).toHaveCount(1);
    await expect(page.locator('[data-run]')).toHaveCount(2);
    await composited.getByRole('link').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const { data } = await sharp(await download.path())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Teal, as the reference; the mask is 256 to 768, and its seam 8 wide.
    const isTeal = (x: number, y: number) => {
      const at = (y * 1024 + x) * 4;
      return data.subarray(at, at + 4).equals(Buffer.from([0, 128, 128, 255]));
    };
    const isFar = (at: number) => at < 256 - 8 || at >= 768 + 8;
    let changed = 0;
    for (let y = 0; y < 1024; y++) {
      for (let x = 0; x < 1024; x++) if ((isFar(x) || isFar(y)) && !isTeal(x, y)) changed++;
    }
    expect(changed).toBe(0);
    const inside = Array.from({ length: 512 }, (_, at) => isTeal(256 + at, 512));
    expect(inside.filter(Boolean).length).toBeLessThan(51);
  });

  it('B43 keeps the colours in which a photograph of a phone is seen', async () => {
    const { page, playground } = await visitPlayground(console);
    const create = { width: 256, height: 256, channels: 3, background: '#ff4000' } as const;
    // The same colour by other numbers.
    const buffer = await sharp({ create }).withIccProfile('p3').png().toBuffer();
    await playground.attach({ name: 'photo.png', mimeType: 'image/png', buffer });
    await maskTheMiddle(page);
    await makeImage(playground, 'a fox');
    const gallery = new GalleryPage(page);
    await gallery.open();
    await gallery.tile('Composited').getByRole('link').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const corner = sharp(await download.path()).extract({ left: 0, top: 0, width: 1, height: 1 });
    const [red = 0, green = 0, blue = 0] = await corner.raw().toBuffer();
    for (const difference of [red - 0xff, green - 0x40, blue]) {
      expect(Math.abs(difference)).toBeLessThanOrEqual(3);
    }
  });

  it('B43 shows the clear parts of the original as such, also where the model’s picture has none', async () => {
    const { page, playground } = await visitPlayground(console);
    const create = { width: 256, height: 256, channels: 4, background: '#00808000' } as const;
    const buffer = await sharp({ create }).png().toBuffer();
    await playground.attach({ name: 'logo.png', mimeType: 'image/png', buffer });
    await maskTheMiddle(page);
    await playground.choose('Format', 'JPEG');
    await makeImage(playground, 'a fox');
    const gallery = new GalleryPage(page);
    await gallery.open();
    await gallery.tile('Composited').getByRole('link').click();
    await expect(page.getByTestId('mat').locator('.checkerboard')).toBeVisible();
  });

  it('B43 says that the original was scaled, and that nothing was put back into another shape', async () => {
    const { page, playground, editor } = await visitMaskEditor(console, {
      width: 512,
      height: 512,
    });
    await editor.stroke([0.4, 0.5], [0.6, 0.5]);
    await editor.dialog.getByRole('switch', { name: 'Keep pixels outside the mask' }).check();
    await editor.save();
    await playground.choose('Size', '1:1');
    await makeImage(playground, 'a fox');
    await playground.choose('Size', '3:2');
    await makeImage(playground, 'a hen');
    const gallery = new GalleryPage(page);
    await gallery.open();
    await expect(gallery.tiles).toHaveCount(3);
    await gallery.tile('Composited').getByRole('link').click();
    const scaled = 'The original was 512 × 512 and was scaled to this size.';
    await expect(page.getByText(scaled)).toBeVisible();
    await gallery.open();
    await gallery.tile('a hen').getByRole('link').click();
    await expect(page.getByText(/were not put back/)).toBeVisible();
  });

  it('takes a mask that was made elsewhere, by its transparency or its light', async () => {
    const { page, editor } = await visitMaskEditor(console, wide);
    const half = { width: 768, height: 1024 };
    const light = await sharp({ create: { ...wide, channels: 3, background: 'black' } })
      .composite([
        { input: { create: { ...half, channels: 3, background: 'white' } }, left: 0, top: 0 },
      ])
      .png()
      .toBuffer();
    const choose = (buffer: Buffer) =>
      page.getByTestId('mask-file').setInputFiles({ name: 'm.png', mimeType: 'image/png', buffer });
    await choose(light);
    await expect(editor.coverage).toHaveText('50% will change');
    await choose(await sharp(light).resize(30, 20).negate().ensureAlpha(0).png().toBuffer());
    await expect(editor.coverage).toHaveText('100% will change');
    await editor.button('Undo').click();
    await expect(editor.coverage).toHaveText('50% will change');
    await choose(Buffer.from('no picture'));
    await expect(editor.dialog.getByRole('alert')).toHaveText(/not an image/);
    await choose(
      await sharp({ create: { ...half, channels: 3, background: 'black' } })
        .png()
        .toBuffer(),
    );
    await expect(editor.dialog.getByRole('alert')).toHaveText(/what may change/);
  });

  it('asks before it throws away what was painted', async () => {
    const { page, editor } = await visitMaskEditor(console, wide);
    await page.keyboard.press('Escape');
    await expect(editor.dialog).toBeHidden();
    await editor.open();
    await editor.stroke([0.4, 0.4], [0.6, 0.6]);
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard the changes?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(editor.coverage).not.toHaveText('0% will change');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(editor.dialog).toBeHidden();
  });

  it('is moved and scaled by two fingers, and painted with one', async () => {
    const { page, editor } = await visitMaskEditor(console, wide, { size: 'phone' });
    const session = await page.context().newCDPSession(page);
    const box = await editor.place.boundingBox();
    const at = (x: number, y: number) => ({
      x: (box?.x ?? 0) + x * (box?.width ?? 0),
      y: (box?.y ?? 0) + y * (box?.height ?? 0),
    });
    const touch = (type: string, ...points: readonly { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', {
        // One of the four that the protocol names.
        type: type as 'touchStart',
        touchPoints: points.map((point, id) => ({ ...point, id })),
      });
    const zoom = editor.dialog.getByRole('button', { name: /^Zoom \d/ });
    const before = await zoom.textContent();
    await touch('touchStart', at(0.4, 0.5));
    await touch('touchStart', at(0.4, 0.5), at(0.6, 0.5));
    await touch('touchMove', at(0.2, 0.5), at(0.8, 0.5));
    await touch('touchEnd');
    await expect(zoom).not.toHaveText(before ?? '');
    await expect(editor.coverage).toHaveText('0% will change');
    await touch('touchStart', at(0.4, 0.5));
    await touch('touchMove', at(0.5, 0.5));
    await touch('touchEnd');
    await expect(editor.coverage).not.toHaveText('0% will change');
  });

  it.each([
    { size: 'desktop', theme: 'light', language: 'en' },
    { size: 'phone', theme: 'dark', language: 'en' },
  ] as const)('B73 the editor has nothing that axe finds ($size, $theme)', async (how) => {
    const { page } = await visitMaskEditor(console, wide, how);
    expect(await violationsOf(page)).toEqual([]);
  });
});

/** A mask of the middle of the one reference image, whose rest is to stay. */
async function maskTheMiddle(page: Page): Promise<void> {
  const editor = new MaskEditorPage(page);
  await editor.open();
  await editor.stroke([0.48, 0.5], [0.52, 0.5]);
  await editor.dialog.getByRole('switch', { name: 'Keep pixels outside the mask' }).check();
  await editor.save();
}
