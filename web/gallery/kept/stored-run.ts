/** How a run lies in the browser's database: with what has to be known of its pictures to count them. */
import { sha256 } from '../../lib/sha256.ts';
import type { MaskDocument, MaskShape } from '../../mask/mask-document.ts';
import type { GalleryRun, RestoredRun } from './gallery-store.ts';

export interface StoredRun extends GalleryRun {
  thumbBytes: number;
  /** In the order of the references; what the index finds them by. */
  referenceIds: readonly string[];
  referenceBytes: readonly number[];
  maskBytes: number;
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
      maskBytes: mask === null ? 0 : maskBytesOf(mask),
    },
    image,
    thumb,
    references: hashed,
    mask,
  };
}

export function runOf(stored: StoredRun): GalleryRun {
  const { thumbBytes: _, referenceIds: __, referenceBytes: ___, maskBytes: ____, ...run } = stored;
  return run;
}

/** How many bytes these runs take; what several of them show counts once. */
export function bytesOf(runs: readonly StoredRun[]): number {
  const blobs = new Map<string, number>();
  let total = 0;
  for (const { image, thumbBytes, referenceIds, referenceBytes, maskBytes } of runs) {
    total += maskBytes;
    blobs.set(image.id, image.bytes + thumbBytes);
    for (const [index, id] of referenceIds.entries()) {
      blobs.set(`reference ${id}`, referenceBytes[index] ?? 0);
    }
  }
  for (const bytes of blobs.values()) total += bytes;
  return total;
}

export function imageBytesOf(runs: readonly GalleryRun[]): number {
  return runs.reduce((total, { image }) => total + image.bytes, 0);
}

const coordinateBytes = 8;

export function maskBytesOf({ png, shapes }: MaskDocument): number {
  return shapes.reduce((total, shape) => total + shapeBytesOf(shape), png.size);
}

function shapeBytesOf(shape: MaskShape): number {
  switch (shape.kind) {
    case 'stroke':
      return shape.points.length * coordinateBytes;
    case 'bitmap':
      return shape.png.size;
    case 'rectangle':
      return 4 * coordinateBytes;
  }
}
