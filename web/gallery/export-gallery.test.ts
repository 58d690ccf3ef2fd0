import { describe, expect, it } from 'vitest';
import { contentOf, exported, galleryOf } from '../../test/support/gallery-exports.ts';
import { galleryRun, richRuns } from '../../test/support/gallery-runs.ts';
import { exportGallery, zipImages } from './export-gallery.ts';
import { importGallery } from './import-gallery.ts';
import { createMemoryGallery } from './memory-gallery.ts';
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

it('pictures alone are packed under the names that they are downloaded with', async () => {
  const gallery = await galleryOf(...richRuns);
  const file = await zipImages(gallery, { ids: ['run-1', 'run-3', 'gone'] });
  expect([...(await readZip(file)).keys()]).toEqual([
    '2026-01-01_studio_picture-1_tr_1.png',
    '2026-01-01_quick_狐-quoted-line_tr_3.png',
  ]);
});
