import { expect, it } from 'vitest';
import { galleryRun } from '../../../test/support/console/gallery-runs.ts';
import type { Gallery } from '../gallery.ts';
import type { RestoredRun } from '../kept/gallery-store.ts';
import { createMemoryGallery } from '../kept/memory-gallery.ts';
import { planFreeing } from './free-space.ts';

const bytesEach = 1_000;

async function galleryWith(count: number, change: (number: number) => Partial<RestoredRun>) {
  const gallery: Gallery = createMemoryGallery();
  for (let number = 1; number <= count; number++) {
    const image = new Blob([String(number).padEnd(bytesEach)], { type: 'image/png' });
    const thumb = new Blob([]);
    await gallery.restoreRun(galleryRun(number, { image, thumb, ...change(number) }));
  }
  return gallery;
}

it('frees the oldest first, and no more than is asked for', async () => {
  const gallery = await galleryWith(8, () => ({}));
  expect(await planFreeing(gallery, 0.25)).toEqual({ ids: ['run-1', 'run-2'], bytes: 2_000 });
});

it('leaves what has a star', async () => {
  const gallery = await galleryWith(6, (number) => ({ isStarred: number % 2 === 1 }));
  expect((await planFreeing(gallery, 0.5)).ids).toEqual(['run-2', 'run-4', 'run-6']);
});

it('frees what there is when that is less than asked for', async () => {
  const gallery = await galleryWith(3, (number) => ({ isStarred: number !== 2 }));
  expect(await planFreeing(gallery, 0.75)).toEqual({ ids: ['run-2'], bytes: 1_000 });
});

it('finds nothing in an empty gallery', async () => {
  expect(await planFreeing(createMemoryGallery(), 0.5)).toEqual({ ids: [], bytes: 0 });
});
