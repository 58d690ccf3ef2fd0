import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { DrawnQuality } from './detail.ts';
import { coarsen, encode, type Raster } from './encode.ts';
import { sandboxCaption } from './label.ts';
import { letteringPath } from './lettering.ts';
import { modelNamed } from './models.ts';
import { drawPicture, type PictureOrder } from './picture.ts';

const plain: PictureOrder = {
  prompt: 'a fox in the mountains',
  seed: null,
  pictureIndex: 0,
  model: modelNamed('sandbox-studio'),
  size: { width: 240, height: 200 },
  quality: 'medium',
  isTransparent: false,
  isOpaque: false,
  inputFidelity: null,
  referenceImages: [],
  mask: null,
};

describe('a generation', () => {
  test('has the same pixels whenever its order is the same', async () => {
    const respaced = { ...plain, prompt: ' A  fox in\nthe mountains ' };
    const pictures = await Promise.all([plain, { ...plain }, respaced].map(pixelsOf));
    expect(pictures[1]).toEqual(pictures[0]);
    expect(pictures[2]).toEqual(pictures[0]);
  });

  test.each<[string, Partial<PictureOrder>]>([
    ['prompt', { prompt: 'a fox in the mountain' }],
    ['seed', { seed: 7 }],
    ['picture index', { pictureIndex: 1 }],
    ['model', { model: modelNamed('sandbox-classic') }],
    ['quality', { quality: 'high' }],
  ])('changes with its %s', async (_, change) => {
    expect(await pixelsOf({ ...plain, ...change })).not.toEqual(await pixelsOf(plain));
  });

  test.each([
    [1024, 1024],
    [1536, 1024],
    [1024, 1536],
    [16, 16],
    [1000, 16],
  ])('is %i × %i when that is asked', async (width, height) => {
    const raster = await drawPicture({ ...plain, size: { width, height } });
    expect(raster).toMatchObject({ width, height, channels: 3 });
    expect(raster.pixels.length).toBe(width * height * 3);
  });

  test('is 1024 × 1024 when the size is auto', async () => {
    const raster = await drawPicture({ ...plain, size: 'auto' });
    expect(raster).toMatchObject({ width: 1024, height: 1024 });
  });

  test('holds more the higher its quality', async () => {
    const bytes: number[] = [];
    for (const quality of ['low', 'medium', 'high', 'xhigh', 'max'] satisfies DrawnQuality[]) {
      const raster = await drawPicture({ ...plain, size: { width: 512, height: 512 }, quality });
      bytes.push((await encode(raster, { format: 'png', compression: null })).length);
    }
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
    expect(new Set(bytes).size).toBe(bytes.length);
  });

  test('has a clear sky and opaque land when the background is transparent', async () => {
    const raster = await drawPicture({ ...plain, isTransparent: true });
    expect(raster.channels).toBe(4);
    expect(alphaAt(raster, 0, 0)).toBe(0);
    expect(alphaAt(raster, raster.width - 1, 0)).toBe(0);
    expect(alphaAt(raster, raster.width / 2, raster.height - 1)).toBe(255);
  });

  test('is labelled, and does not show its prompt', async () => {
    const raster = await drawPicture({ ...plain, size: { width: 1024, height: 1024 } });
    expect(await likenessToCaption(raster)).toBeGreaterThan(0.9);
  });
});

describe('an encoded picture', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('is a whole %s of its size', async (format) => {
    const file = await encode(await drawPicture(plain), { format, compression: null });
    const image = sharp(file, { failOn: 'warning' });
    expect(await image.metadata()).toMatchObject({
      format,
      width: 240,
      height: 200,
      hasAlpha: false,
    });
    await image.raw().toBuffer();
  });

  test('keeps every pixel as png', async () => {
    const raster = await drawPicture({ ...plain, isTransparent: true });
    const file = await encode(raster, { format: 'png', compression: null });
    expect(await sharp(file).raw().toBuffer()).toEqual(raster.pixels);
  });

  test.each(['png', 'webp'] as const)('keeps its clear parts as %s', async (format) => {
    const raster = await drawPicture({ ...plain, isTransparent: true });
    const file = await encode(raster, { format, compression: null });
    expect((await sharp(file).stats()).isOpaque).toBe(false);
  });

  test.each(['jpeg', 'webp'] as const)('is larger the less a %s is compressed', async (format) => {
    const raster = await drawPicture(plain);
    const bytes: number[] = [];
    for (const compression of [0, 50, 100])
      bytes.push((await encode(raster, { format, compression })).length);
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
    expect(new Set(bytes).size).toBe(3);
  });
});

describe('partial images', () => {
  test.each([1, 2, 3])('come closer to the final picture, %i of them', async (count) => {
    const raster = await drawPicture({ ...plain, size: { width: 512, height: 512 } });
    const differences: number[] = [];
    for (let i = 0; i < count; i++) {
      const partial = await coarsen(raster, i, count);
      expect(partial).toMatchObject({ width: 512, height: 512, channels: 3 });
      differences.push(meanDifference(partial.pixels, raster.pixels));
    }
    differences.push(0);
    expect(differences).toEqual(differences.toSorted((a, b) => b - a));
    expect(new Set(differences).size).toBe(count + 1);
  });

  test('stay clear where the picture is clear', async () => {
    const raster = await drawPicture({ ...plain, isTransparent: true });
    const partial = await coarsen(raster, 0, 1);
    expect(alphaAt(partial, 0, 0)).toBe(0);
  });
});

async function pixelsOf(order: PictureOrder): Promise<Buffer> {
  return (await drawPicture(order)).pixels;
}

function alphaAt({ pixels, width }: Raster, x: number, y: number): number | undefined {
  return pixels[(y * width + x) * 4 + 3];
}

function meanDifference(first: Buffer, second: Buffer): number {
  expect(first.length).toBe(second.length);
  let total = 0;
  for (let i = 0; i < first.length; i++) total += Math.abs((first[i] ?? 0) - (second[i] ?? 0));
  return total / first.length;
}

/** How well the bright pixels of the label's place match the caption's strokes, from -1 to 1. */
async function likenessToCaption(raster: Raster): Promise<number> {
  const area = { left: 40, top: 960, width: 280, height: 24 };
  const { pixels, width, height, channels } = raster;
  const found = await sharp(pixels, { raw: { width, height, channels } })
    .extract(area)
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const scale = 14.848 / 6;
  const strokes = `<path d="${letteringPath(sandboxCaption)}" fill="none" stroke="#fff" stroke-width="0.95" stroke-linecap="round"/>`;
  let best = -1;
  // The exact place is the label's own business: whole pixels around it are tried.
  for (let dx = 4; dx <= 16; dx += 1) {
    for (let dy = 0; dy <= 8; dy += 1) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="280" height="24"><rect width="280" height="24"/><g transform="translate(${dx} ${dy}) scale(${scale})">${strokes}</g></svg>`;
      const drawn = await sharp(Buffer.from(svg))
        .removeAlpha()
        .toColourspace('b-w')
        .raw()
        .toBuffer();
      best = Math.max(best, correlation(found, drawn));
    }
  }
  return best;
}

function correlation(first: Buffer, second: Buffer): number {
  const mean = (values: Buffer) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [m1, m2] = [mean(first), mean(second)];
  let both = 0;
  let one = 0;
  let two = 0;
  for (let i = 0; i < first.length; i++) {
    const a = (first[i] ?? 0) - m1;
    const b = (second[i] ?? 0) - m2;
    both += a * b;
    one += a * a;
    two += b * b;
  }
  return both / Math.sqrt(one * two);
}
