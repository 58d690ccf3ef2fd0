import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import { doneInTurn } from '../../test/support/result-turn.ts';
import { must } from '../lib/assert.ts';
import { inspectImage } from '../lib/pictures/inspect-image.ts';
import type { Picture } from './picture.ts';
import { keepOutsideMask, sameProportions } from './strict-mask.ts';

const width = 8;
const height = 4;
const form = { format: 'png', compression: null } as const;

it.each([
  ['of colours', 3],
  ['half of which can be seen through', 4],
] as const)(
  'takes every pixel outside the mask from the reference image, and no other (%s)',
  async (_what, channels) => {
    const [reference, painted] = await Promise.all([noise(1, channels), noise(2, channels)]);
    const mask = await leftHalfMask();
    const kept = must(await keepOutsideMask(painted, { reference, mask, form }), 'a picture');
    const [before, made, after] = await Promise.all([reference, painted, kept].map(pixelsOf));
    for (let x = 0; x < width; x++) {
      const source = x < width / 2 ? made : before;
      for (let y = 0; y < height; y++) expect(pixel(after, x, y)).toEqual(pixel(source, x, y));
    }
  },
);

it('waits for its turn among the results that are worked on', async () => {
  const [reference, painted, mask] = await Promise.all([noise(1, 3), noise(2, 3), leftHalfMask()]);
  const kept = await doneInTurn(() => keepOutsideMask(painted, { reference, mask, form }));
  expect(kept).toMatchObject({ format: 'png', background: 'opaque' });
});

it('blends the two where the mask is half transparent, and lets nothing shine through', async () => {
  const [reference, painted] = await Promise.all([
    flat({ r: 200, g: 0, b: 0, alpha: 1 }),
    flat({ r: 0, g: 0, b: 200, alpha: 1 }),
  ]);
  const mask = await flat({ r: 0, g: 0, b: 0, alpha: 0.5 });
  const kept = must(await keepOutsideMask(painted, { reference, mask, form }), 'a picture');
  const [red = 0, green, blue = 0, alpha] = pixel(await pixelsOf(kept), 0, 0) ?? [];
  expect([green, alpha]).toEqual([0, 255]);
  for (const share of [red, blue]) expect(Math.abs(share - 100)).toBeLessThanOrEqual(2);
});

it('blends with what cannot be seen by taking less of what can', async () => {
  const [reference, painted, mask] = await Promise.all([
    flat({ r: 200, g: 0, b: 0, alpha: 0 }),
    flat({ r: 0, g: 0, b: 200, alpha: 1 }),
    flat({ r: 0, g: 0, b: 0, alpha: 0.2 }),
  ]);
  const kept = must(await keepOutsideMask(painted, { reference, mask, form }), 'a picture');
  expect(pixel(await pixelsOf(kept), 0, 0)).toEqual([0, 0, 200, 204]);
});

it('keeps the transparency of the reference image outside the mask', async () => {
  const reference = await flat({ r: 10, g: 200, b: 30, alpha: 0 });
  const [painted, mask] = await Promise.all([noise(2), leftHalfMask()]);
  const kept = must(await keepOutsideMask(painted, { reference, mask, form }), 'a picture');
  const after = await pixelsOf(kept);
  expect(pixel(after, width - 1, 0)?.[3]).toBe(0);
  expect(pixel(after, 0, 0)?.[3]).toBe(255);
});

it.each([
  ['neither', 3, 3, false],
  ['the reference image', 3, 4, true],
  ['the picture', 4, 3, true],
] as const)(
  'has an alpha channel where %s has one: %i and %i channels',
  async (_who, picture, reference, hasAlpha) => {
    const background = { r: 10, g: 200, b: 30, alpha: 1 };
    const make = (channels: 3 | 4) =>
      stored(sharp({ create: { width, height, channels, background } }));
    const inputs = { reference: await make(reference), mask: await leftHalfMask(), form };
    const kept = must(await keepOutsideMask(await make(picture), inputs), 'a picture');
    expect(kept.hasAlpha).toBe(hasAlpha);
  },
);

it('encodes a picture that comes as jpeg only once', async () => {
  const [reference, mask] = await Promise.all([noise(1), leftHalfMask()]);
  const painted = await sharp((await noise(2)).bytes)
    .jpeg({ quality: 100 })
    .toBuffer();
  const image = { encoding: 'raw' as const, bytes: painted };
  const picture = { ...must(inspectImage(image), 'a picture'), image };
  const kept = must(await keepOutsideMask(picture, { reference, mask, form }), 'a picture');
  const [before, after] = await Promise.all([picture, kept].map(pixelsOf));
  expect(pixel(after, 0, 0)).toEqual(pixel(before, 0, 0));
});

it('scales a reference image of another size to the picture', async () => {
  const reference = await flat({ r: 10, g: 200, b: 30, alpha: 1 }, 3);
  const mask = await leftHalfMask(3);
  const painted = await noise(2);
  const kept = must(await keepOutsideMask(painted, { reference, mask, form }), 'a picture');
  expect(kept).toMatchObject({ width, height, format: 'png' });
  expect(pixel(await pixelsOf(kept), width - 1, 0)).toEqual([10, 200, 30, 255]);
});

it.each(['jpeg', 'webp'] as const)(
  'gives the picture as %s where that was asked for',
  async (format) => {
    const [reference, painted, mask] = await Promise.all([noise(1), noise(2), leftHalfMask()]);
    const wanted = { form: { format, compression: 90 }, reference, mask };
    expect(await keepOutsideMask(painted, wanted)).toMatchObject({ format, width, height });
  },
);

it('gives nothing where the picture has other proportions than the reference image', async () => {
  const square = await stored(
    sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } }),
  );
  const mask = await leftHalfMask();
  expect(await keepOutsideMask(await noise(2), { reference: square, mask, form })).toBeNull();
});

it('gives nothing where the mask cannot be decoded', async () => {
  const broken = { bytes: Buffer.from('no mask'), width, height };
  const reference = await noise(1);
  expect(await keepOutsideMask(await noise(2), { reference, mask: broken, form })).toBeNull();
});

it.each([
  [{ width: 1536, height: 1024 }, { width: 768, height: 512 }, true],
  [{ width: 1000, height: 1000 }, { width: 1000, height: 1009 }, true],
  [{ width: 1000, height: 1000 }, { width: 1000, height: 1011 }, false],
  [{ width: 1024, height: 1536 }, { width: 1536, height: 1024 }, false],
])('%j and %j have the same proportions: %s', (one, other, same) => {
  expect(sameProportions(one, other)).toBe(same);
});

type StoredPicture = Picture & { bytes: Buffer };

async function stored(image: Sharp): Promise<StoredPicture> {
  const bytes = await image.png().toBuffer();
  const whole = { encoding: 'raw' as const, bytes };
  return { ...must(inspectImage(whole), 'a picture'), image: whole, bytes };
}

function flat(background: { r: number; g: number; b: number; alpha: number }, scale = 1) {
  const size = { width: width * scale, height: height * scale };
  return stored(sharp({ create: { ...size, channels: 4, background } }));
}

/** Different in every pixel. */
function noise(seed: number, channels: 3 | 4 = 3): Promise<StoredPicture> {
  const bytes = Buffer.from(
    Array.from({ length: width * height * channels }, (_, at) => (at * 37 * seed + seed) % 251),
  );
  return stored(sharp(bytes, { raw: { width, height, channels } }));
}

/** Alpha 0, which is to be changed, on the left. */
async function leftHalfMask(scale = 1): Promise<StoredPicture> {
  const size = { width: width * scale, height: height * scale };
  const bytes = Buffer.alloc(size.width * size.height * 4);
  for (let at = 0; at < size.width * size.height; at++) {
    bytes[at * 4 + 3] = at % size.width < size.width / 2 ? 0 : 255;
  }
  return stored(sharp(bytes, { raw: { ...size, channels: 4 } }));
}

async function pixelsOf({ image }: Picture): Promise<Buffer> {
  if (image.encoding !== 'raw') throw new Error('the test makes raw pictures');
  return sharp(image.bytes).ensureAlpha().raw().toBuffer();
}

function pixel(pixels: Buffer | undefined, x: number, y: number): number[] | undefined {
  const at = (y * width + x) * 4;
  return pixels && [...pixels.subarray(at, at + 4)];
}
