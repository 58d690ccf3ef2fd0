/** Pictures that an answer gives by an address instead of their bytes. */
import type { Clock } from '../../lib/clock.ts';
import type { GuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { UpstreamError } from '../upstream.ts';
import { upstreamErrorOf } from './ask.ts';
import { insist, UnreadableAnswer } from './insist.ts';
import { answerLimits } from './limits.ts';
import { pictureOfText, textBytes } from './picture-text.ts';

const urlBytesMax = 8 * 1024;

export interface ResultOptions {
  signal: AbortSignal;
  clock: Clock;
  /** Sent to the service's own origins only. */
  headers?: Readonly<Record<string, string>>;
  /** The address that the answer came from, for services that give a path only. */
  relativeTo?: URL;
  /** What the answer said of itself, for the errors this leads to: see `statedBy`. */
  stated?: { status: number; upstreamRequestId?: string };
}

/**
 * The picture that an address of an answer leads to: a data URL, or one that is fetched through the
 * guard. By then it has been made, so whatever fails may have been charged.
 */
export async function pictureAtUrl(
  http: GuardedHttp,
  address: unknown,
  options: ResultOptions,
): Promise<EncodedImage> {
  const { signal, headers, relativeTo, stated } = options;
  const inside = isDataUrl(address) ? pictureOfText(address) : null;
  if (inside) return inside;
  const url = readAddress(address, relativeTo);
  if (url === null) {
    const words = 'the answer leads to no address of a picture';
    throw new UpstreamError('protocol', words, { ...stated, possiblyCharged: true });
  }
  const wish = { signal, bytesMax: answerLimits.pictureBytesMax, ...(headers && { headers }) };
  const fetching = async (): Promise<EncodedImage> => {
    try {
      return readable({ encoding: 'raw', bytes: await http.download(url, wish) }, stated);
    } catch (error) {
      throw upstreamErrorOf(error, { wasAnswered: true, ...stated });
    }
  };
  return await insist(fetching, options);
}

function readable(image: EncodedImage, stated: ResultOptions['stated']): EncodedImage {
  if (sniffFormat(image) !== null) return image;
  const words = 'the address of the answer holds no picture';
  const cause = new UnreadableAnswer(words);
  throw new UpstreamError('protocol', words, { ...stated, possiblyCharged: true, cause });
}

function isDataUrl(address: unknown): boolean {
  return textBytes(address)?.toString('latin1', 0, 5).toLowerCase() === 'data:';
}

function readAddress(address: unknown, relativeTo: URL | undefined): string | null {
  const bytes = textBytes(address);
  if (!bytes || bytes.length === 0 || bytes.length > urlBytesMax) return null;
  return URL.parse(bytes.toString('utf8'), relativeTo?.href)?.href ?? null;
}
