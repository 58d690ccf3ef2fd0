import type { ImageFormat } from '../../../shared/image-options.ts';
import type { EncodedImage } from './encoded-image.ts';

const headBytes = 12;

/** The format that a picture's first bytes announce; says nothing about the rest of it. */
export function sniffFormat(image: EncodedImage): ImageFormat | null {
  const head = headOf(image);
  if (head.subarray(0, 8).equals(pngSignature)) return 'png';
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg';
  const isRiff = head.toString('latin1', 0, 4) === 'RIFF';
  return isRiff && head.toString('latin1', 8, 12) === 'WEBP' ? 'webp' : null;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function headOf(image: EncodedImage): Buffer {
  if (image.encoding === 'raw') return image.bytes.subarray(0, headBytes);
  return Buffer.from(image.ascii.toString('latin1', 0, (headBytes / 3) * 4), 'base64');
}
