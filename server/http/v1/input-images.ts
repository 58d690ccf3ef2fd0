import { imageLimits } from '../../../shared/limits.ts';
import {
  type GivenImage,
  isHere,
  type LinkedImage,
  type ReferenceImage,
} from '../../images/image-request.ts';
import { CutString } from '../../lib/bytes/json-cut.ts';
import { KeptBytes } from '../../lib/bytes/kept-bytes.ts';
import type { FetchImage } from '../../lib/outgoing/safe-fetch.ts';
import { decodeBase64, decodedLength } from '../../lib/pictures/base64.ts';
import { readImageHeader } from '../../lib/pictures/inspect-image.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import type { UploadMemory } from './upload-memory.ts';

/** A picture as a JSON body gives it: a data URL (a long one as bytes) or an http(s) URL. */
export interface PictureSource {
  /** The field's name for error messages. */
  param: string;
  url: string | CutString;
}

export interface DecodeOptions {
  /** All pictures of the request together. */
  totalBytesMax: number;
  /** Where room for them is asked for. */
  memory?: UploadMemory | undefined;
}

export interface FetchOptions extends DecodeOptions {
  fetchImage: FetchImage;
  /** For each picture. */
  fetchTimeoutMs: number | undefined;
  signal: AbortSignal;
}

/** How many pictures of one request are fetched at the same time. */
const lanesMax = 4;
const dataUrlHeaderBytesMax = 256;

/** Decodes the pictures that came in data URLs. The others are still behind their links: see {@link fetchPictures}. */
export function decodePictures(
  sources: readonly PictureSource[],
  options: DecodeOptions,
): GivenImage[] {
  let totalBytes = 0;
  return sources.map((source) => {
    const { param, url } = source;
    const bytes = url instanceof CutString ? url.bytes : Buffer.from(url);
    if (/^data:/i.test(bytes.toString('latin1', 0, 5))) {
      const decoded = decodeDataUrl(bytes, param, options.memory);
      totalBytes += decoded.length;
      if (totalBytes > options.totalBytesMax) throw tooMuchTogether(source, options);
      return checkPicture(KeptBytes.of(decoded), { param, memory: options.memory });
    }
    if (typeof url === 'string' && /^https?:/i.test(url)) return { link: url, param };
    throw invalidRequest(param, `${param} must be a base64 data URL or an http(s) URL.`);
  });
}

/**
 * Fetches those of the pictures that are not here, and gives back all of them, in the given order. The first that
 * fails ends it for all.
 */
export async function fetchPictures(
  given: readonly GivenImage[],
  options: FetchOptions,
): Promise<ReferenceImage[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, options.signal]);
  let totalBytes = given.filter(isHere).reduce((sum, { bytes }) => sum + bytes.length, 0);
  const pictures: ReferenceImage[] = [];
  const fetchOne = async (image: LinkedImage) => {
    const bytes = await fetchBytes(image, { ...options, signal });
    totalBytes += bytes.length;
    if (totalBytes > options.totalBytesMax) throw tooMuchTogether(image, options);
    return checkPicture(KeptBytes.of(bytes), { ...image, memory: options.memory });
  };
  const queue = given.entries();
  const lane = async () => {
    for (const [index, image] of queue) {
      pictures[index] = isHere(image) ? image : await fetchOne(image);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanesMax }, lane));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return pictures;
}

/**
 * Accepts the bytes of a picture that a caller gave, in whatever way. Its declared type and name
 * count for nothing; nothing of it is decoded.
 *
 * @param link where it was fetched from
 * @param memory of its request, in which there has to be room for what is made of it
 */
export function checkPicture(
  kept: KeptBytes,
  { param, link, memory }: { param: string; link?: string; memory: UploadMemory | undefined },
): ReferenceImage {
  const { fileBytesMax, filePixelsMax } = imageLimits;
  if (kept.length > fileBytesMax) throw pictureTooLarge(param);
  if (kept.length === 0) {
    const rule = 'Send the bytes of the picture; a file that was read before must be opened anew.';
    throw invalidRequest(param, `${param} is empty. ${rule}`);
  }
  const info = readImageHeader(kept);
  if (!info) {
    throw invalidRequest(param, `${param} must be a whole, still picture: PNG, JPEG or WebP.`);
  }
  if (info.width * info.height > filePixelsMax) {
    throw invalidRequest(param, `${param} must have at most ${filePixelsMax} pixels.`);
  }
  return {
    ...info,
    ...(link !== undefined && { link }),
    ...(memory && { claim: (bytes: number) => memory.claim(bytes) }),
    get bytes() {
      return kept.whole();
    },
    get pieces() {
      return kept.pieces;
    },
  };
}

export function pictureTooLarge(param: string) {
  return invalidRequest(param, `${param} must have at most ${imageLimits.fileBytesMax} bytes.`);
}

async function fetchBytes(
  { link, param }: LinkedImage,
  { fetchImage, signal, fetchTimeoutMs, memory }: FetchOptions,
): Promise<Buffer> {
  // Nobody knows how long it is before it is there.
  const { fileBytesMax } = imageLimits;
  memory?.take(fileBytesMax);
  const fetched = await fetchImage(link, { param, signal, timeoutMs: fetchTimeoutMs });
  memory?.giveBack(fileBytesMax - fetched.length);
  return fetched;
}

function decodeDataUrl(url: Buffer, param: string, memory: UploadMemory | undefined): Buffer {
  const header = url.subarray(0, dataUrlHeaderBytesMax);
  const comma = header.indexOf(',');
  const isBase64 = /;\s*base64\s*$/i.test(header.toString('latin1', 0, Math.max(comma, 0)));
  const base64 = url.subarray(comma + 1);
  if (isBase64 && decodedLength(base64) > imageLimits.fileBytesMax) throw pictureTooLarge(param);
  if (isBase64) memory?.take(decodedLength(base64));
  const bytes = isBase64 ? decodeBase64(base64) : null;
  if (bytes) return bytes;
  throw invalidRequest(
    param,
    `${param} must be a data URL in valid base64, without line breaks: data:…;base64,….`,
  );
}

function tooMuchTogether({ param }: PictureSource | LinkedImage, { totalBytesMax }: DecodeOptions) {
  const rule = `All pictures of a request may have at most ${totalBytesMax} bytes together.`;
  return invalidRequest(param, rule);
}
