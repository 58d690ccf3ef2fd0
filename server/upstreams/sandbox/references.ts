import { imageLimits } from '../../../shared/limits.ts';
import { type OverlayOptions, type Sharp, sharp } from '../../lib/pictures/sharp.ts';
import { type InputImage, UpstreamError } from '../upstream.ts';
import type { Area, Channel } from './area.ts';
import type { Raster } from './encode.ts';

interface Size {
  width: number;
  height: number;
}

/** The reference as a viewer shows it, filling `size`; clear parts become `ground`. */
export async function fittedReference(
  reference: InputImage,
  place: number,
  { size, ground }: { size: Size; ground: string },
): Promise<Raster> {
  return decoded(place, async () => {
    const image = (await filling(reference, size)).toColourspace('srgb');
    const fitted = image.flatten({ background: ground });
    return { ...size, channels: 3, pixels: await fitted.raw().toBuffer() };
  });
}

/** The reference's own pixels as RGBA, scaled only if `size` is not its own; clear parts become `ground`, if any. */
export async function exactReference(
  reference: InputImage,
  { size, ground }: { size: Size; ground: string | null },
): Promise<Raster> {
  return decoded(1, async () => {
    const image = scaled(open(reference), reference, size, 'lanczos3').toColourspace('srgb');
    const grounded = ground === null ? image : image.flatten({ background: ground });
    const pixels = await grounded.ensureAlpha().raw().toBuffer();
    return { ...size, channels: 4, pixels };
  });
}

/** One byte for each pixel: 0 where the mask asks for a change, 255 everywhere else. */
export async function maskChannel(mask: InputImage, size: Size): Promise<Channel> {
  return decoded('mask', async () => {
    // Nearest neighbours only: a mask has no half changed pixels.
    const image = scaled(open(mask), mask, size, 'nearest');
    const alpha = await image.ensureAlpha().extractChannel('alpha').raw().toBuffer();
    const raw = { ...size, channels: 1 } as const;
    const pixels = await sharp(alpha, { raw }).threshold(1).toColourspace('b-w').raw().toBuffer();
    return { ...size, pixels };
  });
}

/** How wide the reference is for its height, the way a viewer shows it. */
export async function aspectOf(reference: InputImage): Promise<number> {
  return decoded(1, async () => {
    const { autoOrient } = await open(reference).metadata();
    return autoOrient.width / autoOrient.height;
  });
}

/** Each reference as a tile to lay over a picture. */
export async function tileLayers(
  references: readonly InputImage[],
  tiles: readonly Area[],
): Promise<OverlayOptions[]> {
  const layers: OverlayOptions[] = [];
  // One after another: decoding sixteen large photographs at once would fill the memory.
  for (const [i, { left, top, width, height }] of tiles.entries()) {
    const reference = references[i];
    if (reference === undefined) break;
    const fit = { size: { width, height }, ground: '#ffffff' };
    const { pixels } = await fittedReference(reference, i + 2, fit);
    layers.push({ input: pixels, raw: { width, height, channels: 3 }, left, top });
  }
  return layers;
}

/**
 * Turned only once it has its size: turned first, all that a narrow strip is enlarged to would be made
 * before it is cropped, which are gigabytes.
 */
async function filling(reference: InputImage, { width, height }: Size): Promise<Sharp> {
  const image = open(reference);
  const { orientation = 1 } = await image.metadata();
  if (orientation === 1) return image.resize({ width, height, fit: 'cover' });
  const lying = orientation >= 5 ? { width: height, height: width } : { width, height };
  const cropped = image.resize({ ...lying, fit: 'cover' }).keepExif();
  return sharp(await cropped.png({ compressionLevel: 0 }).toBuffer()).autoOrient();
}

function open(image: InputImage): Sharp {
  return sharp(image.bytes, { limitInputPixels: imageLimits.filePixelsMax });
}

function scaled(image: Sharp, own: Size, size: Size, kernel: 'nearest' | 'lanczos3'): Sharp {
  const isOwnSize = own.width === size.width && own.height === size.height;
  return isOwnSize ? image : image.resize({ ...size, fit: 'cover', kernel });
}

async function decoded<T>(what: number | 'mask', decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (cause) {
    const name = what === 'mask' ? 'the mask' : `reference image ${what}`;
    throw new UpstreamError('bad_request', `${name} cannot be decoded`, { cause });
  }
}
