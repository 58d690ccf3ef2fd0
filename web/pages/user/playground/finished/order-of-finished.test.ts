import { expect, it } from 'vitest';
import { galleryOf } from '../../../../../test/support/console/gallery-exports.ts';
import { richRuns } from '../../../../../test/support/console/gallery-runs.ts';
import type { GalleryStore } from '../../../../gallery/kept/gallery-store.ts';
import { finishedRun } from '../../../../viewer/finished.ts';
import { orderOfFinished } from './order-of-finished.ts';

it.each<[string, Partial<GalleryStore>, boolean]>([
  ['is whole where all of it is there', {}, true],
  ['is not without its references', { loadReferences: async () => [] }, false],
  ['is not without its mask', { loadMask: async () => null }, false],
])('the request that a kept picture came of %s', async (_what, changes, isWhole) => {
  const gallery = await galleryOf(...richRuns);
  for (const run of await gallery.listRuns({ limit: 3 })) {
    const isPlain = run.references.length === 0;
    const order = await orderOfFinished(finishedRun(run), { ...gallery, ...changes });
    expect(order.isWhole).toBe(isPlain || isWhole);
  }
});
