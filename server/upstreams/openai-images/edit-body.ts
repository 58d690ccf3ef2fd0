/** Bodies of edits: the fields of every job, the reference images and the mask. */
import type { ImageFormat } from '../../../shared/image-options.ts';
import { type ImageJob, type InputImage, UpstreamError } from '../upstream.ts';
import { asPng } from '../wire/as-png.ts';
import { paintMask } from '../wire/mask.ts';
import { Base64Text } from '../wire/picture-text.ts';
import type { EditStyle, JsonBody, MultipartBody, PicturePlace, PictureShape } from './dialect.ts';
import { type EncodedForm, encodeForm, type FormPart } from './multipart.ts';

type Fields = Readonly<Record<string, unknown>>;

interface SentPicture {
  bytes: Buffer | readonly Buffer[];
  format: ImageFormat;
}

export async function editForm(
  job: ImageJob,
  fields: Fields,
  style: EditStyle & { body: MultipartBody },
): Promise<EncodedForm> {
  const pictures = await readablePictures(job, style);
  const mask = await sentMask(job, style);
  return encodeForm([
    ...Object.entries(fields).map(([name, value]) => ({ name, text: formText(value) })),
    ...pictures.map((picture, index) => filePart(style.body.image, `image-${index + 1}`, picture)),
    ...(mask && style.mask ? [filePart(style.mask.field, 'mask', mask)] : []),
  ]);
}

/** The value of a JSON body, its pictures as `Base64Text`. */
export async function editJson(
  job: ImageJob,
  fields: Fields,
  style: EditStyle & { body: JsonBody },
): Promise<Fields> {
  const { shape, one, several } = style.body;
  const pictures = await readablePictures(job, style);
  const mask = await sentMask(job, style);
  const shaped = pictures.map((picture) => shapedPicture(picture, shape));
  const place = shaped.length === 1 ? one : several;
  if (!place) throw new UpstreamError('unsupported', 'it takes one reference image');
  return {
    ...fields,
    ...placed(shaped, place),
    ...(mask && style.mask && { [style.mask.field]: shapedPicture(mask, shape) }),
  };
}

function formText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function filePart(name: string, baseName: string, { bytes, format }: SentPicture): FormPart {
  return { name, fileName: `${baseName}.${format}`, format, bytes };
}

function placed(pictures: readonly unknown[], place: PicturePlace): Fields {
  switch (place.in) {
    case 'value':
      return { [place.field]: pictures[0] };
    case 'array':
      return { [place.field]: pictures };
    case 'numbered':
      return Object.fromEntries(
        pictures.map((picture, index) => [numberedField(place.field, index), picture]),
      );
  }
}

/** `image`, `image2`, `image3`. */
export function numberedField(field: string, index: number): string {
  return index === 0 ? field : `${field}${index + 1}`;
}

function shapedPicture(picture: SentPicture, shape: PictureShape): unknown {
  const url = Base64Text.dataUrl(picture);
  switch (shape) {
    case 'data_url':
      return url;
    case 'base64':
      return new Base64Text(picture.bytes);
    case 'url':
      return { url, type: 'image_url' };
    case 'image_url':
      return { image_url: url };
    case 'part':
      return { type: 'image_url', image_url: { url } };
  }
}

/** The reference images, as PNG where the service could not read them. */
async function readablePictures({ referenceImages, mask }: ImageJob, { reads }: EditStyle) {
  const pictures: SentPicture[] = [];
  // One after another: who sends sixteen must not be before all others.
  for (const [index, image] of referenceImages.entries()) {
    // A mask has the size of the first one before anything is turned.
    const isMasked = mask !== null && index === 0;
    const isRead = reads.includes(image.format);
    pictures.push(
      isRead ? asItIs(image) : { bytes: await asPng(image, { isMasked }), format: 'png' },
    );
  }
  return pictures;
}

function asItIs(image: InputImage): SentPicture {
  return { bytes: image.pieces ?? image.bytes, format: image.format };
}

async function sentMask({ mask }: ImageJob, style: EditStyle): Promise<SentPicture | null> {
  if (!mask || !style.mask) return null;
  const { convention } = style.mask;
  if (convention === 'alpha') return asItIs(mask);
  return { bytes: await paintMask(mask, convention), format: 'png' };
}
