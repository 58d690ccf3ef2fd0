import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { InputImage } from '../upstream.ts';
import { encode, type Raster } from './encode.ts';
import { modelNamed } from './models.ts';
import { drawPicture, ownSizePixelsMax, type PictureOrder } from './picture.ts';

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

describe('an edit', () => {
  test.each([
    [0, '#cc3333'],
    [1, '#33cc33'],
    [2, '#3333cc'],
    [3, '#cccc33'],
  ])('shows reference %i of four', async (place, colour) => {
    const colours = ['#cc3333', '#33cc33', '#3333cc', '#cccc33'];
    const references = await Promise.all(colours.map((each) => referenceOf(each)));
    const whole = await drawPicture({ ...plain, referenceImages: references });
    expect(shareNear(whole, colour)).toBeGreaterThan(0.01);
    const other = await referenceOf('#ff88ff');
    const changed = await pixelsOf({ ...plain, referenceImages: references.with(place, other) });
    expect(meanDifference(changed, whole.pixels)).toBeGreaterThan(0.5);
  });

  test('keeps closer to its reference with high fidelity', async () => {
    const reference = await referenceOf('#cc3333');
    const fitted = await sharp(reference.bytes).resize(240, 200, { fit: 'cover' }).raw().toBuffer();
    const low = await pixelsOf({ ...plain, referenceImages: [reference], inputFidelity: 'low' });
    const high = await pixelsOf({ ...plain, referenceImages: [reference], inputFidelity: 'high' });
    expect(meanDifference(high, fitted)).toBeLessThan(meanDifference(low, fitted) * 0.8);
    expect(meanDifference(high, fitted)).toBeGreaterThan(8);
  });

  test.each([
    [300, 300, 1024, 1024],
    [300, 180, 1536, 1024],
    [180, 300, 1024, 1536],
    [300, 270, 1024, 1024],
  ])(
    'of a reference of %i × %i is %i × %i',
    async (width, height, expectedWidth, expectedHeight) => {
      const referenceImages = [await referenceOf('#cc3333', { width, height })];
      const raster = await drawPicture({ ...plain, size: 'auto', quality: 'low', referenceImages });
      expect(raster).toMatchObject({ width: expectedWidth, height: expectedHeight });
    },
  );

  test('turns a photograph the way it is meant to be seen', async () => {
    const upright = await referenceOf('#cc3333', { width: 300, height: 180 });
    const bytes = await sharp(upright.bytes).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const raster = await drawPicture({
      ...plain,
      size: 'auto',
      quality: 'low',
      referenceImages: [{ ...upright, bytes, format: 'jpeg' }],
    });
    expect(raster).toMatchObject({ width: 1024, height: 1536 });
  });

  test('turns a strip of a photograph without enlarging what is then cropped', async () => {
    const strip = await referenceOf('#cc3333', { width: 3000, height: 1 });
    const bytes = await sharp(strip.bytes).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const referenceImages = [{ ...strip, bytes, format: 'jpeg' as const }];
    // Enlarged as a whole, it would have nine gigabytes.
    const raster = await drawPicture({ ...plain, size: 'auto', quality: 'low', referenceImages });
    expect(raster).toMatchObject({ width: 1024, height: 1536 });
  });

  test('has clear corners when the background is transparent', async () => {
    const order = {
      ...plain,
      isTransparent: true,
      referenceImages: [await referenceOf('#cc3333')],
    };
    const raster = await drawPicture(order);
    expect(alphaAt(raster, 0, 0)).toBe(0);
    expect(alphaAt(raster, 120, 190)).toBe(255);
  });

  test.each([2, 16])('takes %i references', async (count) => {
    const referenceImages = await Promise.all(
      Array.from({ length: count }, () => referenceOf('#cc3333')),
    );
    expect(await drawPicture({ ...plain, referenceImages })).toMatchObject({
      width: 240,
      height: 200,
    });
  });

  test('names the reference that cannot be decoded', async () => {
    const broken = { ...(await referenceOf('#cc3333')), bytes: Buffer.from('not a picture') };
    const referenceImages = [await referenceOf('#33cc33'), broken];
    await expect(drawPicture({ ...plain, referenceImages })).rejects.toMatchObject({
      fault: 'bad_request',
      message: 'reference image 2 cannot be decoded',
    });
  });
});

describe('a masked edit', () => {
  const hole = { left: 60, top: 40, width: 100, height: 90 };

  test.each([
    ['opaque', noise(3)],
    ['half clear', noise(4)],
    ['grey', noise(1)],
  ])('of an %s reference changes only what the mask asks for', async (_, source) => {
    const reference = await source;
    const order = {
      ...plain,
      size: 'auto',
      referenceImages: [reference],
      mask: await maskOf(hole),
    } as const;
    const raster = await drawPicture(order);
    const file = await encode(raster, { format: 'png', compression: null });
    const changed = await changesBetween(file, reference.bytes, hole);
    expect(changed.outside).toBe(0);
    expect(changed.insideShare).toBeGreaterThan(0.98);
  });

  test('has nothing clear where an opaque background was asked for', async () => {
    const reference = await noise(4);
    const mask = await maskOf(hole);
    const order = { ...plain, size: 'auto', isOpaque: true, mask } as const;
    const raster = await drawPicture({ ...order, referenceImages: [reference] });
    expect(raster.channels).toBe(3);
    const onPaper = await sharp(reference.bytes)
      .flatten({ background: '#f6f1e7' })
      .png()
      .toBuffer();
    const file = await encode(raster, { format: 'png', compression: null });
    expect((await changesBetween(file, onPaper, hole)).outside).toBe(0);
  });

  test('scales reference and mask alike for another size', async () => {
    const reference = await noise(3);
    const size = { width: 480, height: 400 };
    const order = { ...plain, size, referenceImages: [reference], mask: await maskOf(hole) };
    const file = await encode(await drawPicture(order), { format: 'png', compression: null });
    const scaled = await sharp(reference.bytes)
      .resize({ ...size, fit: 'cover' })
      .png()
      .toBuffer();
    const scaledHole = { left: 120, top: 80, width: 200, height: 180 };
    const changed = await changesBetween(file, scaled, scaledHole);
    expect(changed.outside).toBe(0);
    expect(changed.insideShare).toBeGreaterThan(0.98);
  });

  test('changes nothing when the mask asks for nothing', async () => {
    const reference = await noise(3);
    const mask = await maskOf({ left: 0, top: 0, width: 0, height: 0 });
    const raster = await drawPicture({
      ...plain,
      size: 'auto',
      referenceImages: [reference],
      mask,
    });
    expect(raster.pixels).toEqual(await sharp(reference.bytes).raw().toBuffer());
  });

  test('keeps pixels that the mask shows faintly', async () => {
    const reference = await noise(3);
    const create = { width: 240, height: 200, channels: 4, background: '#00000001' } as const;
    const mask = inputImage(await sharp({ create }).png().toBuffer(), { width: 240, height: 200 });
    const raster = await drawPicture({
      ...plain,
      size: 'auto',
      referenceImages: [reference],
      mask,
    });
    expect(raster.pixels).toEqual(await sharp(reference.bytes).raw().toBuffer());
  });

  test('shows the other references where the mask asks for a change', async () => {
    const references = [await noise(3), await referenceOf('#cc3333'), await referenceOf('#3333cc')];
    const order = {
      ...plain,
      size: 'auto',
      referenceImages: references,
      mask: await maskOf(hole),
    } as const;
    const raster = await drawPicture(order);
    expect(shareNear(raster, '#cc3333')).toBeGreaterThan(0.004);
    expect(shareNear(raster, '#3333cc')).toBeGreaterThan(0.004);
  });

  test('of a very large reference is drawn at a usual size', async () => {
    const side = Math.ceil(Math.sqrt(ownSizePixelsMax)) + 64;
    const size = { width: side, height: side };
    const reference = await referenceOf('#cc3333', size);
    const order = {
      ...plain,
      size: 'auto',
      referenceImages: [reference],
      mask: reference,
    } as const;
    expect(await drawPicture(order)).toMatchObject({ width: 1024, height: 1024 });
  });
});

async function pixelsOf(order: PictureOrder): Promise<Buffer> {
  return (await drawPicture(order)).pixels;
}

async function referenceOf(
  colour: string,
  size = { width: 240, height: 200 },
): Promise<InputImage> {
  const create = { ...size, channels: 3, background: colour } as const;
  return inputImage(await sharp({ create }).png().toBuffer(), size);
}

/** A reference in which every pixel differs from its neighbours, with 1, 3 or 4 channels. */
async function noise(channels: 1 | 3 | 4): Promise<InputImage> {
  const size = { width: 240, height: 200 };
  const bytes = Uint8Array.from(
    { length: 240 * 200 * channels },
    (_, i) => (i * 2_654_435_761) >>> 11,
  );
  const file = await sharp(bytes, { raw: { ...size, channels } })
    .png()
    .toBuffer();
  return { ...inputImage(file, size), hasAlpha: channels === 4 };
}

async function maskOf(hole: {
  left: number;
  top: number;
  width: number;
  height: number;
}): Promise<InputImage> {
  const size = { width: 240, height: 200 };
  const pixels = Buffer.alloc(240 * 200 * 4, 255);
  for (let y = hole.top; y < hole.top + hole.height; y++) {
    pixels.fill(0, (y * 240 + hole.left) * 4, (y * 240 + hole.left + hole.width) * 4);
  }
  return inputImage(
    await sharp(pixels, { raw: { ...size, channels: 4 } })
      .png()
      .toBuffer(),
    size,
  );
}

function inputImage(bytes: Buffer, size: { width: number; height: number }): InputImage {
  return { bytes, format: 'png', hasAlpha: false, ...size };
}

/** How many pixels differ outside the hole, and which share of those inside. */
async function changesBetween(
  file: Buffer,
  reference: Buffer,
  hole: { left: number; top: number; width: number; height: number },
): Promise<{ outside: number; insideShare: number }> {
  const read = async (bytes: Buffer) => {
    const image = sharp(bytes).toColourspace('srgb').ensureAlpha().raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return { pixels: new Uint32Array(data.buffer, data.byteOffset, data.length / 4), info };
  };
  const [after, before] = [await read(file), await read(reference)];
  expect(after.info).toMatchObject({ width: before.info.width, height: before.info.height });
  let changedInside = 0;
  let changedOutside = 0;
  for (let i = 0; i < before.pixels.length; i++) {
    if (after.pixels[i] === before.pixels[i]) continue;
    const x = (i % before.info.width) - hole.left;
    const y = Math.floor(i / before.info.width) - hole.top;
    const isInside = x >= 0 && y >= 0 && x < hole.width && y < hole.height;
    if (isInside) changedInside += 1;
    else changedOutside += 1;
  }
  return { outside: changedOutside, insideShare: changedInside / (hole.width * hole.height) };
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

/** How much of the picture has about this colour. */
function shareNear({ pixels, channels }: Raster, colour: string): number {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  let count = 0;
  for (let i = 0; i < pixels.length; i += channels) {
    if (wanted.every((value, c) => Math.abs((pixels[i + c] ?? 0) - value) < 14)) count += 1;
  }
  return count / (pixels.length / channels);
}
