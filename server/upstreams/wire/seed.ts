import { createHash } from 'node:crypto';
import type { ImageJob } from '../upstream.ts';

/**
 * From 1 to `max`, for engines that draw the same picture again where they are told no seed: the same
 * for every attempt at a picture, another for each picture of a request.
 */
export function seedOf(
  { traceId, pictureIndex }: Pick<ImageJob, 'traceId' | 'pictureIndex'>,
  max: number,
): number {
  const digest = createHash('sha256').update(`${traceId}/${pictureIndex}`).digest();
  return 1 + (digest.readUInt32BE() % max);
}
