import { describe, expect, it } from 'vitest';
import { contentOf, exported, galleryOf } from '../../../test/support/console/gallery-exports.ts';
import { galleryRun, richRuns } from '../../../test/support/console/gallery-runs.ts';
import type { Gallery } from '../gallery.ts';
import type { GalleryRun, GalleryStore } from '../kept/gallery-store.ts';
import { createMemoryGallery } from '../kept/memory-gallery.ts';
import { exportGallery, zipImages } from './export-gallery.ts';
import { importGallery } from './import-gallery.ts';
import { readZip } from './zip-reader.ts';

describe('an export', () => {
  it('brings back every run, star and mask', async () => {
    const gallery = await galleryOf(...richRuns);
    const copy = createMemoryGallery();
    const outcome = await importGallery(copy, { file: await exported(gallery) });
    expect(outcome).toEqual({ kind: 'done', added: 3, known: 0, damaged: 0 });
    expect(await contentOf(copy)).toEqual(await contentOf(gallery));
  });

  it('changes nothing about what is there already', async () => {
    const gallery = await galleryOf(...richRuns);
    const file = await exported(gallery);
    await gallery.setStarred('run-1', false);
    const before = await contentOf(gallery);
    const outcome = await importGallery(gallery, { file });
    expect(outcome).toEqual({ kind: 'done', added: 0, known: 3, damaged: 0 });
    expect(await contentOf(gallery)).toEqual(before);
  });

  it('has a picture that two runs show once, and two pictures of one name under two', async () => {
    const image = new Blob(['the same'], { type: 'image/png' });
    const file = await exported(
      await galleryOf(
        galleryRun(1, { image, traceId: 'tr_same' }),
        galleryRun(2, { image, traceId: 'tr_same' }),
        galleryRun(3, { traceId: 'tr_same', asked: { model: 'studio', prompt: 'picture 2' } }),
      ),
    );
    expect([...(await readZip(file)).keys()].filter((name) => name.startsWith('images/'))).toEqual([
      'images/2026-01-01_studio_picture-2_r_same.png',
      'images/2026-01-01_studio_picture-2_r_same-2.png',
    ]);
  });

  it('counts while it goes on', async () => {
    const counts: number[] = [];
    const gallery = await galleryOf(...richRuns);
    const ids = await gallery.findIds({});
    await exportGallery(gallery, {
      ids,
      exportedAt: '2026-01-02T03:04:05.000Z',
      onProgress: (done) => counts.push(done),
    });
    expect(counts).toEqual([1, 2, 3]);
  });
});

describe('what the browser cannot read', () => {
  const exportedAt = '2026-01-02T03:04:05.000Z';
  const ids = ['run-1', 'run-2', 'run-3'];

  it.each<[string, (gallery: Gallery) => Partial<GalleryStore>]>([
    [
      'is gone',
      (gallery) => ({
        loadImage: ofFirst(
          async () => null,
          (run) => gallery.loadImage(run),
        ),
      }),
    ],
    ['is lost', (gallery) => ({ loadImage: ofFirst(lost, (run) => gallery.loadImage(run)) })],
    ['is broken', (gallery) => ({ loadImage: ofFirst(broken, (run) => gallery.loadImage(run)) })],
    [
      'has a broken thumbnail',
      (gallery) => ({ loadThumb: ofFirst(broken, (run) => gallery.loadThumb(run)) }),
    ],
  ])('a picture that %s is left out, and the others are not', async (_what, changes) => {
    // Two runs show one picture: what is written for neither must not pass for written.
    const image = new Blob(['the same'], { type: 'image/png' });
    const gallery = await galleryOf(
      galleryRun(1, { image }),
      galleryRun(2, { image }),
      galleryRun(3),
    );
    const store = { ...gallery, ...changes(gallery) };
    const { file, ...counts } = await exportGallery(store, { ids, exportedAt });
    expect(counts).toEqual({ packed: 2, unreadable: 1, bare: 0 });
    const copy = createMemoryGallery();
    const outcome = await importGallery(copy, { file });
    expect(outcome).toEqual({ kind: 'done', added: 2, known: 0, damaged: 0 });
    expect(await copy.findIds({ order: 'oldest' })).toEqual(['run-2', 'run-3']);
  });

  it.each<[string, (gallery: Gallery) => Partial<GalleryStore>]>([
    ['references are lost', () => ({ loadReferences: lost })],
    [
      'second reference is broken',
      (gallery) => ({
        loadReferences: async (run) => {
          const [first, second] = await gallery.loadReferences(run);
          return first && second ? [first, { ...second, image: await broken() }] : [];
        },
      }),
    ],
    ['mask is lost', () => ({ loadMask: lost })],
    [
      'mask is broken',
      (gallery) => ({
        loadMask: async (run) => {
          const mask = await gallery.loadMask(run);
          return mask && { ...mask, png: await broken() };
        },
      }),
    ],
  ])('a picture whose %s goes without', async (what, changes) => {
    const gallery = await galleryOf(...richRuns);
    const store = { ...gallery, ...changes(gallery) };
    const { file, ...counts } = await exportGallery(store, { ids, exportedAt });
    expect(counts).toEqual({ packed: 3, unreadable: 0, bare: 1 });
    const copy = createMemoryGallery();
    const outcome = await importGallery(copy, { file });
    expect(outcome).toEqual({ kind: 'done', added: 3, known: 0, damaged: 0 });
    const isMask = what.startsWith('mask');
    expect(await copy.findRun('run-2')).toMatchObject({
      hasMask: !isMask,
      references: { length: isMask ? 2 : 0 },
    });
  });

  it('is all of it: nothing is packed', async () => {
    const gallery = await galleryOf(...richRuns);
    const counts = { packed: 0, unreadable: 3, bare: 0 };
    const store = { ...gallery, loadImage: lost };
    expect(await exportGallery(store, { ids, exportedAt })).toMatchObject(counts);
    expect(await zipImages(store, { ids })).toMatchObject(counts);
  });
});

/** As IndexedDB fails where the file behind it is gone. */
async function lost(): Promise<never> {
  throw new DOMException('as the test says', 'DataError');
}

/** It says that it is there, and cannot be read. */
async function broken(): Promise<Blob> {
  return Object.assign(new Blob(['x'], { type: 'image/png' }), {
    arrayBuffer: lost,
    stream: () => new ReadableStream({ pull: lost }),
  });
}

function ofFirst<T>(
  first: () => Promise<T>,
  others: (run: GalleryRun) => Promise<T>,
): (run: GalleryRun) => Promise<T> {
  return (run) => (run.id === 'run-1' ? first() : others(run));
}

it('pictures alone are packed under the names that they are downloaded with', async () => {
  const gallery = await galleryOf(...richRuns);
  const { file, ...counts } = await zipImages(gallery, { ids: ['run-1', 'run-3', 'gone'] });
  expect(counts).toEqual({ packed: 2, unreadable: 0, bare: 0 });
  expect([...(await readZip(file)).keys()]).toEqual([
    '2026-01-01_studio_picture-1_tr_1.png',
    '2026-01-01_quick_狐-quoted-line_tr_3.png',
  ]);
});
