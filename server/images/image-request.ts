import { createHash } from 'node:crypto';
import type { EditFields, GenerationFields } from '../../shared/api/images.ts';
import {
  extendedQualities,
  type ImageBackground,
  type ImageFormat,
  type ImageQuality,
  type ImageSize,
  type InputFidelity,
  type Moderation,
  type Operation,
  type ResponseFormat,
} from '../../shared/image-options.ts';
import { imageLimits } from '../../shared/limits.ts';
import type { BudgetAnswer } from '../lib/bytes/byte-budget.ts';
import type { ImageInfo } from '../lib/pictures/encoded-image.ts';
import { invalidRequest } from '../lib/service-error.ts';

/** A reference image or mask: its bytes are there and its header was read. */
export interface ReferenceImage extends ImageInfo {
  /** In one piece, made when it is first asked for. */
  readonly bytes: Buffer;
  /** The same in the pieces in which it came, for whoever has no need to join them. */
  readonly pieces?: readonly Buffer[];
  /** Counts what is made of it, so many bytes, as memory of its request until that ends. */
  readonly claim?: (bytes: number) => BudgetAnswer;
  /** The http(s) URL from which it was fetched, as the caller wrote it. */
  readonly link?: string;
}

/** A picture that is still to be fetched. */
export interface LinkedImage {
  readonly link: string;
  /** What the caller's body calls it, for error messages. */
  readonly param: string;
}

export type GivenImage = ReferenceImage | LinkedImage;

/** A request of which some pictures may still have to be fetched. */
export type GivenRequest = ImageRequest<GivenImage>;

/**
 * What a caller asked for: valid in itself, whatever the model can do.
 *
 * @template Picture `GivenImage` as long as some may have to be fetched
 */
export interface ImageRequest<Picture = ReferenceImage> {
  operation: Operation;
  /** As the caller named it; whether there is such a model is the catalog's affair. */
  model: string;
  prompt: string;
  n: number;
  size: ImageSize;
  quality: ImageQuality;
  background: ImageBackground;
  outputFormat: ImageFormat;
  /** 0 to 100; null leaves it to the upstream, and always is for a format without compression. */
  outputCompression: number | null;
  moderation: Moderation | null;
  inputFidelity: InputFidelity | null;
  /** 0 unless the answer is a stream. */
  partialImages: number;
  stream: boolean;
  responseFormat: ResponseFormat;
  /** In the caller's order; empty for a generation. */
  referenceImages: readonly Picture[];
  mask: Picture | null;
  /** What the caller's body calls the two, for error messages. */
  pictureParams: PictureParams;
}

/** A request whose body was read. `fetchPictures` makes it whole; null where everything came with the body. */
export type ReadRequest =
  | { request: ImageRequest; fetchPictures: null }
  | { request: GivenRequest; fetchPictures: () => Promise<ImageRequest> };

export interface PictureParams {
  images: string;
  mask: string;
}

/** In a multipart form. */
export const formParams: PictureParams = { images: 'image', mask: 'mask' };

export function toGeneration(fields: GenerationFields): ImageRequest {
  return checkFieldsTogether({
    ...fromFields(fields),
    operation: 'generation',
    inputFidelity: null,
    referenceImages: [],
    mask: null,
    pictureParams: formParams,
  });
}

export type EditPictures<Picture> = Pick<
  ImageRequest<Picture>,
  'referenceImages' | 'mask' | 'pictureParams'
>;

/** A mask is checked when both it and the first reference image are here. */
export function toEdit<Picture extends GivenImage>(
  fields: EditFields,
  pictures: EditPictures<Picture>,
): ImageRequest<Picture> {
  const { referenceImages, mask, pictureParams } = pictures;
  checkReferenceCount(referenceImages.length, pictureParams.images);
  const [first] = referenceImages;
  if (mask && first && isHere(mask) && isHere(first)) checkMask(mask, first, pictureParams.mask);
  return checkFieldsTogether({
    ...fromFields(fields),
    operation: 'edit',
    inputFidelity: fields.input_fidelity,
    referenceImages,
    mask,
    pictureParams,
  });
}

/** Whether a model takes this quality; `extended` says that it has the ones beyond `high`. */
export function qualityAllowed(quality: ImageQuality, extended: boolean): boolean {
  return extended || !extendedQualities.includes(quality);
}

/**
 * SHA-256 in hex over everything that was asked for. Two bodies with the same meaning have the same
 * fingerprint, whatever their boundary, order of fields, or way of sending the same pictures. What is
 * behind a link does not count: a repeat has the same one, and it may have ended.
 */
export function fingerprintOf(request: GivenRequest): string {
  const { referenceImages, mask, pictureParams: _names, ...fields } = request;
  const canonical = createHash('sha256');
  canonical.update(JSON.stringify(Object.entries(fields).sort(byName)));
  canonical.update(JSON.stringify(referenceImages.map(digestOf)));
  canonical.update(JSON.stringify(mask && digestOf(mask)));
  return canonical.digest('hex');
}

/** About the bytes that a request takes: its pictures, and a byte for each character of its prompt. */
export function keptBytesOf({ prompt, referenceImages, mask }: ImageRequest): number {
  const pictures = mask ? [...referenceImages, mask] : referenceImages;
  // Asked for its `bytes`, a picture that came in pieces would be joined.
  const pieces = pictures.flatMap((picture) => picture.pieces ?? [picture.bytes]);
  return pieces.reduce((sum, { length }) => sum + length, prompt.length);
}

/** The fields that both operations have, in our words. */
function fromFields(fields: GenerationFields) {
  return {
    model: fields.model,
    prompt: fields.prompt,
    n: fields.n,
    size: fields.size,
    quality: fields.quality === 'standard' ? 'auto' : fields.quality,
    background: fields.background,
    outputFormat: fields.output_format,
    // An upstream refuses a compression for PNG, and callers send it whatever the format.
    outputCompression: fields.output_format === 'png' ? null : fields.output_compression,
    moderation: fields.moderation,
    partialImages: fields.stream ? fields.partial_images : 0,
    stream: fields.stream,
    responseFormat: fields.response_format,
  };
}

function checkFieldsTogether<Picture>(request: ImageRequest<Picture>): ImageRequest<Picture> {
  if (request.stream && request.n > 1) {
    // Stream events carry no number that would tell one picture's from another's.
    throw invalidRequest('n', 'n must be 1 when stream is true.');
  }
  if (request.background === 'transparent' && request.outputFormat === 'jpeg') {
    throw invalidRequest(
      'background',
      'background cannot be transparent when output_format is jpeg; use png or webp.',
    );
  }
  return request;
}

function checkReferenceCount(count: number, param: string): void {
  const { referenceImagesMax } = imageLimits;
  if (count === 0) throw invalidRequest(param, `${param} is required: an edit needs a picture.`);
  if (count > referenceImagesMax) {
    throw invalidRequest(param, `An edit takes at most ${referenceImagesMax} reference images.`);
  }
}

/** Whether it came with the request, or was fetched. */
export function isHere(image: GivenImage): image is ReferenceImage {
  return 'bytes' in image;
}

function checkMask(mask: ReferenceImage, first: ReferenceImage, param: string): void {
  if (mask.format !== 'png' || !mask.hasAlpha) {
    throw invalidRequest(param, 'The mask must be a PNG with an alpha channel.');
  }
  if (mask.width !== first.width || mask.height !== first.height) {
    throw invalidRequest(param, 'The mask must have the same size in pixels as the first image.');
  }
}

function digestOf(image: GivenImage): string {
  const digest = createHash('sha256');
  for (const piece of piecesOf(image)) digest.update(piece);
  return digest.digest('hex');
}

/** What makes it that picture. None begins as a link does. */
function piecesOf(image: GivenImage): readonly (Buffer | string)[] {
  if (!isHere(image)) return [image.link];
  const { link, pieces } = image;
  return link === undefined ? (pieces ?? [image.bytes]) : [link];
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
