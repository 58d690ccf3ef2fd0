/** A picture of the gallery that is looked at closely, by a wheel, a mouse, or fingers. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { type ConsoleBench, describeConsole, type VisitOptions } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { seedRuns, visitGallery } from '../support/gallery-page.ts';

describeConsole((console) => {
  it('keeps what is under the pointer there, however large the picture becomes', async () => {
    const { page, shares } = await visitPicture(console);
    const before = await shares(0.3, 0.4);
    for (let turns = 0; turns < 4; turns += 1) await page.mouse.wheel(0, -400);
    await expect(page.getByRole('button', { name: 'Zoom 800%' })).toBeAttached();
    const after = await shares(0.3, 0.4);
    expect(after.x).toBeCloseTo(before.x, 2);
    expect(after.y).toBeCloseTo(before.y, 2);
  });

  it('shows in full what was clicked twice, and fits it again', async () => {
    const { page, matBox, pictureBox } = await visitPicture(console, { size: 'phone' });
    const fitted = await pictureBox();
    const mat = await matBox();
    // To the left of the middle, in which it would stay without a scale.
    await page.mouse.dblclick(mat.x + mat.width * 0.25, mat.y + mat.height / 2);
    await expect.poll(async () => Math.round((await pictureBox()).width)).toBe(384);
    const full = await pictureBox();
    const share = ({ x, width }: { x: number; width: number }) =>
      (mat.x + mat.width * 0.25 - x) / width;
    expect(share(full)).toBeCloseTo(share(fitted), 2);
    await page.mouse.dblclick(mat.x + mat.width * 0.25, mat.y + mat.height / 2);
    await expect.poll(pictureBox).toEqual(fitted);
  });

  it.each([
    { title: 'fitted', isZoomed: false },
    { title: 'zoomed', isZoomed: true },
  ])(
    'takes the tap on Next that follows a quick move on a $title picture',
    async ({ isZoomed }) => {
      const { page, finger, at } = await visitPicture(console, { size: 'phone' });
      if (isZoomed) await page.getByTestId('mat').dblclick();
      const address = page.url();
      await finger('touchStart', await at(0.3, 0.5));
      for (const along of [0.4, 0.5, 0.6]) await finger('touchMove', await at(along, 0.5));
      await finger('touchEnd');
      await page.getByRole('button', { name: 'Next image' }).tap();
      await expect(page).not.toHaveURL(address);
    },
  );

  it('goes to the picture beside a fitted one that a finger moves aside', async () => {
    const { page, swipe, pictureBox } = await visitPicture(console, { size: 'phone' });
    const fitted = await pictureBox();
    const isAt = (position: string) => expect(page.getByText(position)).toBeVisible();
    // Before the first there is none, and it does not move aside.
    await swipe([0.2, 0.5], [0.8, 0.5]);
    expect(await pictureBox()).toEqual(fitted);
    await swipe([0.8, 0.5], [0.2, 0.5]);
    await isAt('2 of 3');
    await expect.poll(pictureBox).toEqual(fitted);
    await swipe([0.8, 0.5], [0.2, 0.4]);
    await isAt('3 of 3');
    await swipe([0.8, 0.5], [0.2, 0.5]);
    await swipe([0.2, 0.5], [0.8, 0.5]);
    await isAt('2 of 3');
  });

  it('stays at the picture that a finger moves a little, up, in full, or together with another', async () => {
    const { page, swipe, finger, at, pictureBox } = await visitPicture(console, { size: 'phone' });
    const address = page.url();
    const fitted = await pictureBox();
    await finger('touchStart', await at(0.6, 0.5));
    await finger('touchMove', await at(0.52, 0.5));
    await expect.poll(async () => (await pictureBox()).x).toBeLessThan(fitted.x);
    await finger('touchEnd');
    await expect.poll(pictureBox).toEqual(fitted);
    await swipe([0.6, 0.9], [0.4, 0.1]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(pictureBox).toEqual(fitted);
    await page.getByTestId('mat').dblclick();
    await swipe([0.8, 0.5], [0.2, 0.5]);
    await page.keyboard.press('0');
    await expect.poll(pictureBox).toEqual(fitted);
    await finger('touchStart', await at(0.8, 0.4), await at(0.9, 0.4));
    await finger('touchMove', await at(0.4, 0.4), await at(0.5, 0.4));
    await finger('touchEnd');
    await page.getByRole('button', { name: 'Next image' }).tap();
    await expect(page.getByText('2 of 3')).toBeVisible();
    expect(page.url()).not.toBe(address);
  });

  it('moves with two fingers that move together', async () => {
    const { page, finger, at, matBox, pictureBox } = await visitPicture(console, { size: 'phone' });
    const mat = await matBox();
    await finger('touchStart', await at(0.2, 0.4), await at(0.6, 0.4));
    const fitted = await pictureBox();
    const width = async () => Math.round((await pictureBox()).width);
    await finger('touchMove', await at(0.1, 0.4), await at(0.7, 0.4));
    await expect.poll(width).toBe(Math.round(fitted.width * 1.5));
    const apart = await pictureBox();
    await finger('touchMove', await at(0.3, 0.4), await at(0.9, 0.4));
    await finger('touchEnd');
    const way = async () => Math.round((await pictureBox()).x - apart.x);
    await expect.poll(way).toBe(Math.round(mat.width * 0.2));
    expect(await width()).toBe(Math.round(apart.width));
    expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
  });

  it('stays in sight wherever it is moved to, and is moved by the main button only', async () => {
    const { page, matBox, pictureBox } = await visitPicture(console);
    const mat = await matBox();
    await page.getByTestId('mat').dblclick();
    const drag = async (button: 'left' | 'right') => {
      await page.mouse.move(mat.x + 20, mat.y + mat.height / 2);
      await page.mouse.down({ button });
      await page.mouse.move(mat.x + mat.width - 20, mat.y + mat.height / 2, { steps: 4 });
      await page.mouse.up({ button });
    };
    const before = await pictureBox();
    await drag('right');
    expect(await pictureBox()).toEqual(before);
    await drag('left');
    await drag('left');
    expect((await pictureBox()).x).toBeCloseTo(mat.x + mat.width / 2, 0);
  });
});

/** The first of three pictures, of 384 × 256 pixels. */
async function visitPicture(console: ConsoleBench, options: Omit<VisitOptions, 'user'> = {}) {
  const visit = await visitGallery(console, options);
  const { page, user, gallery } = visit;
  await seedRuns(page, user, 3);
  await page.reload();
  await gallery.tiles.first().getByRole('link').click();
  const picture = page.getByTestId('result');
  await expect(picture).toBeVisible();
  const boxOf = async (testId: string) =>
    must(await page.getByTestId(testId).boundingBox(), 'what is shown');
  const matBox = () => boxOf('mat');
  const pictureBox = () => boxOf('result');
  const finger = await fingersOn(page);
  const at = async (x: number, y: number) => pointIn(await matBox(), x, y);
  return {
    ...visit,
    matBox,
    pictureBox,
    at,
    shares: async (x: number, y: number) => {
      const point = pointIn(await matBox(), x, y);
      await page.mouse.move(point.x, point.y);
      const box = await pictureBox();
      return { x: (point.x - box.x) / box.width, y: (point.y - box.y) / box.height };
    },
    finger,
    swipe: async (from: [number, number], to: [number, number]) => {
      await finger('touchStart', await at(...from));
      await finger('touchMove', await at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2));
      await finger('touchMove', await at(...to));
      await finger('touchEnd');
    },
  };
}

async function fingersOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
}

function pointIn(
  box: { x: number; y: number; width: number; height: number },
  x: number,
  y: number,
) {
  return { x: Math.round(box.x + x * box.width), y: Math.round(box.y + y * box.height) };
}
