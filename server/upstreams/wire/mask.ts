/**
 * Masks for upstreams that want another convention than ours, which is OpenAI's: a PNG whose
 * alpha-0 pixels are to be changed.
 */
import { sharp } from '../../lib/pictures/sharp.ts';
import { UpstreamError } from '../upstream.ts';
import { type Given, madeOnce } from './made-once.ts';

/** `white`: white is to be changed, black stays. `black`: the other way round. No alpha in either. */
export type MaskColour = 'white' | 'black';

export const maskPixelsMax = 40_000_000;

/** The mask as a greyscale PNG; half-transparent pixels become grey in proportion. */
export function paintMask(mask: Given, change: MaskColour): Promise<Buffer> {
  return madeOnce(mask, `${change} mask`, () => paint(mask, change));
}

async function paint({ bytes }: Given, change: MaskColour): Promise<Buffer> {
  try {
    const alpha = sharp(bytes, { limitInputPixels: maskPixelsMax, failOn: 'error' })
      .ensureAlpha()
      .extractChannel('alpha');
    const painted = change === 'white' ? alpha.negate() : alpha;
    return await painted.toColourspace('b-w').png({ compressionLevel: 3 }).toBuffer();
  } catch (cause) {
    throw new UpstreamError('bad_request', 'the mask cannot be decoded', { cause });
  }
}
