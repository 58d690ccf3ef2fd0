/** How a run lies in the browser's database: with what has to be known of its pictures to count them. */
import { sha256 } from '../lib/sha256.ts';
import type { RestoredRun } from './gallery.ts';
import type { GalleryRun } from './gallery-store.ts';

export interface StoredRun extends GalleryRun {
  thumbBytes: number;
  /** In the order of the references; what the index finds them by. */
  referenceIds: readonly string[];
  referenceBytes: readonly number[];
}

/** A run ready to be written: hashing takes longer than a transaction may wait. */
export interface PreparedRun {
  stored: StoredRun;
  image: Blob;
  thumb: Blob;
  references: readonly { id: string; name: string; image: Blob }[];
  mask: RestoredRun['mask'];
}

export async function prepareRun(run: RestoredRun): Promise<PreparedRun> {
  const { image, thumb, width, height, references, mask, ...rest } = run;
  const id = await sha256(image);
  const hashed = await Promise.all(
    references.map(async (each) => ({ ...each, id: await sha256(each.image) })),
  );
  return {
    stored: {
      ...rest,
      image: { id, type: image.type, bytes: image.size, width, height },
      references: hashed.map(({ id, name }) => ({ id, name })),
      hasMask: mask !== null,
      thumbBytes: thumb.size,
      referenceIds: hashed.map(({ id }) => id),
      referenceBytes: hashed.map(({ image }) => image.size),
    },
    image,
    thumb,
    references: hashed,
    mask,
  };
}

export function runOf(stored: StoredRun): GalleryRun {
  const { thumbBytes: _, referenceIds: __, referenceBytes: ___, ...run } = stored;
  return run;
}

/** How many bytes these runs take; what several of them show counts once. */
export function bytesOf(runs: readonly StoredRun[]): number {
  const blobs = new Map<string, number>();
  for (const { image, thumbBytes, referenceIds, referenceBytes } of runs) {
    blobs.set(image.id, image.bytes + thumbBytes);
    for (const [index, id] of referenceIds.entries()) {
      blobs.set(`reference ${id}`, referenceBytes[index] ?? 0);
    }
  }
  return [...blobs.values()].reduce((total, bytes) => total + bytes, 0);
}

export function imageBytesOf(runs: readonly GalleryRun[]): number {
  return runs.reduce((total, { image }) => total + image.bytes, 0);
}
