/** Reference images for services that read fewer formats than callers may give. */
import { imageLimits } from '../../../shared/limits.ts';
import { sharp } from '../../lib/pictures/sharp.ts';
import { UpstreamError } from '../upstream.ts';
import { type Given, madeOnce } from './made-once.ts';

/** Turned as its EXIF says, which PNG readers pass over, unless a mask lies over it as it is. */
export function asPng(image: Given, { isMasked }: { isMasked: boolean }): Promise<Buffer> {
  return madeOnce(image, isMasked ? 'png' : 'upright png', () => toPng(image, { isMasked }));
}

async function toPng({ bytes }: Given, { isMasked }: { isMasked: boolean }): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: imageLimits.filePixelsMax, failOn: 'error' });
    const turned = isMasked ? picture : picture.autoOrient();
    return await turned.keepIccProfile().png({ compressionLevel: 3 }).toBuffer();
  } catch (cause) {
    throw new UpstreamError('bad_request', 'a reference image cannot be decoded', { cause });
  }
}
