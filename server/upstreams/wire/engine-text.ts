/**
 * Local engines write into their picture files how they were made: the whole workflow, the operator's
 * model files, settings and negative prompt, and the prompt. None of that is the caller's to see, nor
 * anybody's they pass it on to.
 */
import { decodeBase64 } from '../../lib/pictures/base64.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { withoutJpegText } from './jpeg-text.ts';
import { withoutPngText } from './png-text.ts';
import { withoutWebpText } from './webp-text.ts';

/** The picture without its texts; the same one where there are none. */
export function withoutEngineText(image: EncodedImage): EncodedImage {
  const bytes = image.encoding === 'raw' ? image.bytes : decodeBase64(image.ascii);
  if (bytes === null) return image;
  const plain = withoutFileText(bytes);
  return plain === bytes ? image : { encoding: 'raw', bytes: plain };
}

/** The same of a picture's file. */
export function withoutFileText(bytes: Buffer): Buffer {
  return withoutWebpText(withoutJpegText(withoutPngText(bytes)));
}
