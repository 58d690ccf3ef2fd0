/** What successful answers carry. */
import sharp from 'sharp';
import { must } from '../../../server/lib/assert.ts';
import { type ImagesResponse, imagesResponseSchema } from '../../../shared/api/images.ts';
import { exactly } from '../exactly.ts';
import type { Answer } from './api.ts';

/** The whole answer, which has exactly the documented fields. */
export function imagesOf(answer: Answer): ImagesResponse {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`);
  return exactly(imagesResponseSchema, answer.body);
}

/** The pictures of an answer in base64. */
export function picturesOf(answer: Answer): Buffer[] {
  return imagesOf(answer).data.map(({ b64_json }) => fromBase64(must(b64_json, 'b64_json')));
}

export function pictureOf(answer: Answer): Buffer {
  const [picture, ...more] = picturesOf(answer);
  if (more.length > 0) throw new Error('more than one picture');
  return must(picture, 'a picture');
}

/** Strictly: Node would overlook what is not base64. */
export function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new Error('not canonical base64');
  return bytes;
}

/** The media type and the bytes of a data URL. */
export function fromDataUrl(url: string): { mediaType: string; bytes: Buffer } {
  const [, mediaType, base64] = /^data:([a-z/]+);base64,(.*)$/.exec(url) ?? [];
  return { mediaType: must(mediaType, 'a media type'), bytes: fromBase64(must(base64, 'base64')) };
}

/** What the picture itself says, decoded to its last pixel. */
export async function look(picture: Buffer) {
  const { format, width, height } = await sharp(picture).metadata();
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const alphas = data.filter((_value, index) => index % info.channels === 3);
  return { format, size: `${width}x${height}`, isSeeThrough: alphas.includes(0) };
}
