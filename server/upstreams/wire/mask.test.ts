import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { hugePng } from '../../../test/support/pictures.ts';
import { type MaskColour, maskPixelsMax, paintMask } from './mask.ts';

/** Of the four pixels of each mask here, from "change" to "keep". */
const alphas = [0, 64, 128, 255];

type Png = (pixels: Sharp) => Sharp;

const masks: readonly [string, Png][] = [
  ['of colours', (pixels) => pixels.png()],
  ['of greys', (pixels) => pixels.toColourspace('b-w').png()],
  ['of a palette', (pixels) => pixels.png({ palette: true })],
  ['of sixteen bits', (pixels) => pixels.toColourspace('rgb16').png()],
];

async function maskOf(write: Png): Promise<Buffer> {
  // White where it says "change" and black where it says "keep", so that colours would give themselves away.
  const pixels = Buffer.from(
    alphas.flatMap((alpha) => [255 - alpha, 255 - alpha, 255 - alpha, alpha]),
  );
  return await write(sharp(pixels, { raw: { width: 2, height: 2, channels: 4 } })).toBuffer();
}

/** Sixteen bits are rounded on the way to eight; the ends of the range are exact. */
function about(value: number): unknown {
  return expect.toBeOneOf([value - 1, value, value + 1]);
}

async function decoded(png: Buffer) {
  const { format, space, channels } = await sharp(png).metadata();
  // Raw pixels are always given as colours, all three the same for a grey.
  const pixels = await sharp(png).extractChannel(0).raw().toBuffer();
  return { pixels: [...pixels], format, space, channels };
}

describe('a mask', () => {
  it.each(masks)('%s is painted white where it is to be changed', async (_name, write) => {
    const painted = await paintMask({ bytes: await maskOf(write) }, 'white');
    expect(await decoded(painted)).toEqual({
      pixels: [255, about(191), about(127), 0],
      format: 'png',
      space: 'b-w',
      channels: 1,
    });
  });

  it.each(masks)('%s is painted black where it is to be changed', async (_name, write) => {
    const painted = await paintMask({ bytes: await maskOf(write) }, 'black');
    expect(await decoded(painted)).toMatchObject({ pixels: [0, about(64), about(128), 255] });
  });

  it.each<[MaskColour, number]>([
    ['white', 0],
    ['black', 255],
  ])('without alpha changes nothing, painted %s', async (colour, pixel) => {
    const create = { width: 2, height: 1, channels: 3, background: 'white' } as const;
    const bytes = await sharp({ create }).png().toBuffer();
    expect(await decoded(await paintMask({ bytes }, colour))).toMatchObject({
      pixels: [pixel, pixel],
    });
  });

  it('keeps its size and is painted alike each time', async () => {
    const bytes = await maskOf((pixels) => pixels.png());
    const [one, two] = await Promise.all([
      paintMask({ bytes }, 'white'),
      paintMask({ bytes }, 'white'),
    ]);
    expect(one.equals(two)).toBe(true);
  });

  it('that cannot be decoded is a bad request', async () => {
    const bytes = await maskOf((pixels) => pixels.png());
    for (const broken of [Buffer.from('no picture'), bytes.subarray(0, bytes.length - 20)]) {
      await expect(paintMask({ bytes: broken }, 'white')).rejects.toMatchObject({
        fault: 'bad_request',
        message: 'the mask cannot be decoded',
      });
    }
  });

  it('of more pixels than allowed is not even begun', async () => {
    const side = Math.ceil(Math.sqrt(maskPixelsMax)) + 1;
    await expect(paintMask({ bytes: hugePng(side, side) }, 'white')).rejects.toMatchObject({
      fault: 'bad_request',
      cause: { message: expect.stringContaining('pixel limit') },
    });
  });

  it('of as many pixels as allowed is painted', async () => {
    const create = {
      width: 8_000,
      height: maskPixelsMax / 8_000,
      channels: 4,
      background: 'white',
    } as const;
    const bytes = await sharp({ create }).png({ compressionLevel: 1 }).toBuffer();
    const painted = await paintMask({ bytes }, 'white');
    expect(await sharp(painted).metadata()).toMatchObject({ width: 8_000, height: 5_000 });
  });
});
