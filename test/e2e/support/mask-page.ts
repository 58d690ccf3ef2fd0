/** The mask editor as somebody paints in it, and the masks that the playground sends. */
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { must } from '../../../server/lib/assert.ts';
import type { ConsoleBench } from './console.ts';
import { expect } from './expect.ts';
import { paint } from './paint.ts';
import { type PlaygroundPage, picture, visitPlayground } from './playground-page.ts';

export interface MaskVisit {
  page: Page;
  playground: PlaygroundPage;
  editor: MaskEditorPage;
}

/** The editor over a playground whose only reference has this size. */
export async function visitMaskEditor(
  console: ConsoleBench,
  size: { width: number; height: number },
  options: Parameters<typeof visitPlayground>[2] = {},
): Promise<MaskVisit> {
  const { page, playground } = await visitPlayground(console, {}, options);
  await rememberForms(page);
  await playground.attach(await picture('room.png', 'teal', size));
  const editor = new MaskEditorPage(page);
  await editor.open();
  return { page, playground, editor };
}

/** Two references, `one.png` with a line across its middle that may change, and `two.png`. */
export async function attachMasked(playground: PlaygroundPage): Promise<void> {
  const { page } = playground;
  await playground.attach(await picture('one.png', 'teal'), await picture('two.png', 'gold'));
  await expect(page.getByRole('img', { name: 'Image 2: two.png' })).toBeVisible();
  const editor = new MaskEditorPage(page);
  await editor.open();
  await editor.setSize(40);
  await editor.stroke([0.3, 0.5], [0.7, 0.5]);
  await editor.save();
}

export class MaskEditorPage {
  readonly page: Page;
  readonly dialog: Locator;
  readonly place: Locator;
  readonly coverage: Locator;
  readonly saveButton: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog', { name: 'Mask' });
    this.place = page.getByTestId('mask-place');
    this.coverage = page.getByTestId('mask-coverage');
    this.saveButton = this.dialog.getByRole('button', { name: 'Save mask' });
  }

  async open(): Promise<void> {
    const name = /^(Paint a mask on|Change the mask of) image 1$/;
    await this.page.getByRole('button', { name }).click();
    await expect(this.coverage).toBeVisible();
  }

  async save(): Promise<void> {
    await this.saveButton.click();
    await expect(this.dialog).toBeHidden();
  }

  /** Another size of the window; the picture lies anew in its place a frame later. */
  async resizeWindow(size: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(size);
    await this.page.waitForFunction(({ width, height }) => {
      return window.innerWidth === width && window.innerHeight === height;
    }, size);
    await paint(this.page, { frames: 3 });
  }

  button(name: string): Locator {
    return this.dialog.getByRole('button', { name, exact: true });
  }

  async choose(tool: 'Brush' | 'Eraser' | 'Rectangle' | 'Pan'): Promise<void> {
    await this.dialog.getByRole('radio', { name: tool }).check({ force: true });
  }

  async setSize(pixels: number): Promise<void> {
    await this.dialog.getByRole('slider', { name: 'Size' }).fill(String(pixels));
  }

  /** A stroke between two points, each as parts of the place's width and height. */
  async stroke(...points: readonly (readonly [number, number])[]): Promise<void> {
    const [first, ...rest] = await this.#onPage(points);
    if (!first) return;
    await this.page.mouse.move(first.x, first.y);
    await this.page.mouse.down();
    for (const { x, y } of rest) await this.page.mouse.move(x, y, { steps: 6 });
    await this.page.mouse.up();
  }

  async click(x: number, y: number): Promise<void> {
    const [at] = await this.#onPage([[x, y]]);
    if (at) await this.page.mouse.click(at.x, at.y);
  }

  async hover(x: number, y: number): Promise<void> {
    const [at] = await this.#onPage([[x, y]]);
    if (at) await this.page.mouse.move(at.x, at.y);
  }

  async #onPage(points: readonly (readonly [number, number])[]) {
    const box = must(await this.place.boundingBox(), 'the place to paint on');
    return points.map(([x, y]) => ({ x: box.x + x * box.width, y: box.y + y * box.height }));
  }
}

export interface SentMask {
  width: number;
  height: number;
  bytes: number;
  /** Of each pixel: 0 where it may change. */
  alpha: Buffer;
}

/** The mask of the next request that the playground sends. */
export async function sentMask(playground: PlaygroundPage): Promise<SentMask> {
  const { page } = playground;
  await playground.generate('a fox');
  await page.waitForFunction(() => window.sentForms?.some((form) => form.has('mask')));
  const base64 = await page.evaluate(async () => {
    const mask = window.sentForms?.findLast((form) => form.has('mask'))?.get('mask');
    if (!(mask instanceof Blob)) return '';
    const bytes = new Uint8Array(await mask.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  const png = Buffer.from(base64, 'base64');
  const { data, info } = await sharp(png)
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: png.length, alpha: data };
}

/** Whether a pixel may change; by parts of the picture's width and height. */
export function mayChange({ width, height, alpha }: SentMask, x: number, y: number): boolean {
  return alpha[Math.floor(y * height) * width + Math.floor(x * width)] === 0;
}

declare global {
  interface Window {
    sentForms?: FormData[];
  }
}

/** Chromium does not tell what files a request has. */
export async function rememberForms(page: Page): Promise<void> {
  await page.evaluate(() => {
    const send = window.fetch;
    const forms: FormData[] = [];
    window.sentForms = forms;
    window.fetch = (input, init) => {
      if (init?.body instanceof FormData) forms.push(init.body);
      return send(input, init);
    };
  });
}
