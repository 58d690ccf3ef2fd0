import type { ImageFormat } from '../../shared/image-options.ts';
import { memoryPool } from '../lib/bytes/memory-pool.ts';
import { decodeBase64ToPool, joinLines } from '../lib/pictures/base64.ts';
import type { EncodedImage, ImageInfo } from '../lib/pictures/encoded-image.ts';
import { inspectImage } from '../lib/pictures/inspect-image.ts';
import { resultTurns } from '../lib/pictures/pixel-turns.ts';
import { type Sharp, sharp } from '../lib/pictures/sharp.ts';

/** A whole picture in the asked format, as it goes to the caller. */
export interface Picture extends ImageInfo {
  image: EncodedImage;
}

export interface WantedForm {
  format: ImageFormat;
  /** 0 to 100 for jpeg and webp; null for the default. */
  compression: number | null;
}

/** The largest picture that is decoded to change its format: 64 million pixels. */
export const convertPixelsMax = 64_000_000;
const defaultCompression = 90;

/** The picture that an upstream delivered; null when it is not a whole one. */
export function readPicture(image: EncodedImage): Picture | null {
  const info = inspectImage(image);
  if (info) return { ...info, image };
  // Lines longer than MIME's are looked for only where the base64 cannot be read as it is.
  const ascii = image.encoding === 'base64' ? joinLines(image.ascii) : null;
  if (!ascii) return null;
  const joined = { encoding: 'base64', ascii } as const;
  const found = inspectImage(joined);
  return found && { ...found, image: joined };
}

/**
 * Converted when its format is not the asked one, else the very same bytes. Null when it cannot be
 * converted.
 */
export async function toForm(picture: Picture, wanted: WantedForm): Promise<Picture | null> {
  if (picture.format === wanted.format) return picture;
  const bytes = fileOf(picture.image);
  if (!bytes) return null;
  const converted = await resultTurns.take(() => convert(bytes, wanted));
  dropFile(bytes, picture.image);
  return converted;
}

/** The bytes of a picture's file, for which {@link dropFile} is there; null when its base64 is none. */
export function fileOf(image: EncodedImage): Buffer | null {
  return image.encoding === 'raw' ? image.bytes : decodeBase64ToPool(image.ascii);
}

/** For whoever is the last to need a picture's file: what was decoded for it is free. The picture stays. */
export function dropFile(bytes: Buffer, image: EncodedImage): void {
  if (image.encoding === 'base64') memoryPool.giveBack(bytes);
}

async function convert(bytes: Buffer, wanted: WantedForm): Promise<Picture | null> {
  try {
    const source = sharp(bytes, { limitInputPixels: convertPixelsMax, failOn: 'warning' });
    // What is written has no EXIF any more that would turn it.
    const converted = await encodePicture(source.autoOrient(), wanted);
    return readPicture({ encoding: 'raw', bytes: converted });
  } catch {
    // Sharp says only in words why it could not decode; all of them mean the same here.
    return null;
  }
}

/** The pixels as a file of the wanted form. */
export function encodePicture(source: Sharp, wanted: WantedForm): Promise<Buffer> {
  return encoded(source, wanted).toBuffer();
}

function encoded(source: Sharp, { format, compression }: WantedForm): Sharp {
  const quality = Math.max(1, compression ?? defaultCompression);
  switch (format) {
    case 'png':
      return source.png();
    case 'jpeg':
      return source.flatten({ background: '#ffffff' }).jpeg({ quality });
    case 'webp':
      return source.webp({ quality });
  }
}
