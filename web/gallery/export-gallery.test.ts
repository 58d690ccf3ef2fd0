import { makeZip } from 'client-zip';
import { describe, expect, it } from 'vitest';
import { galleryRun, maskOf } from '../../test/support/gallery-runs.ts';
import { exportGallery, zipImages } from './export-gallery.ts';
import { fullError, type Gallery, type RestoredRun } from './gallery.ts';
import { importGallery } from './import-gallery.ts';
import { manifestName } from './manifest.ts';
import { createMemoryGallery } from './memory-gallery.ts';
import { openEntry, readZip } from './zip-reader.ts';

const exportedAt = '2026-01-02T03:04:05.000Z';

async function galleryOf(...runs: readonly RestoredRun[]): Promise<Gallery> {
  const gallery = createMemoryGallery();
  for (const run of runs) await gallery.restoreRun(run);
  return gallery;
}

async function exported(gallery: Gallery): Promise<Blob> {
  return exportGallery(gallery, { ids: await gallery.findIds({}), exportedAt });
}

/** Everything about a gallery that somebody could miss. */
async function contentOf(gallery: Gallery) {
  const runs = await gallery.listRuns({ limit: 1_000 });
  return Promise.all(
    runs.map(async (run) => ({
      run,
      image: await textOf(await gallery.loadImage(run)),
      thumb: await textOf(await gallery.loadThumb(run)),
      references: await Promise.all(
        (await gallery.loadReferences(run)).map(async ({ name, image }) => [
          name,
          await textOf(image),
        ]),
      ),
      mask: await maskContent(gallery, run),
    })),
  );
}

async function maskContent(gallery: Gallery, run: Parameters<Gallery['loadMask']>[0]) {
  const mask = await gallery.loadMask(run);
  if (!mask) return null;
  const shapes = await Promise.all(
    mask.shapes.map(async (shape) =>
      shape.kind === 'bitmap' ? { ...shape, png: await textOf(shape.png) } : shape,
    ),
  );
  return { ...mask, png: await textOf(mask.png), shapes };
}

async function textOf(blob: Blob | null): Promise<string | null> {
  return blob && `${blob.type} ${await blob.text()}`;
}

/** The same export with another manifest. */
async function withManifest(
  file: Blob,
  change: (manifest: { runs: Record<string, unknown>[] }) => unknown,
): Promise<Blob> {
  const entries = await readZip(file);
  const files = await Promise.all(
    [...entries].map(async ([name, entry]) => ({ name, input: await openEntry(file, entry) })),
  );
  const manifest = files.find(({ name }) => name === manifestName);
  // Written by the export itself.
  const parsed = JSON.parse((await manifest?.input.text()) ?? '') as {
    runs: Record<string, unknown>[];
  };
  const rest = files.filter((each) => each !== manifest);
  const input = JSON.stringify(change(parsed));
  return new Response(makeZip([...rest, { name: manifestName, input }])).blob();
}

const rich = [
  galleryRun(1, { isStarred: true, revisedPrompt: 'a better prompt' }),
  galleryRun(2, {
    operation: 'edit',
    references: [
      { name: 'fox.jpg', image: new Blob(['fox'], { type: 'image/jpeg' }) },
      { name: 'hen.png', image: new Blob(['hen'], { type: 'image/png' }) },
    ],
    mask: maskOf({
      shapes: [
        { kind: 'bitmap', png: new Blob(['brought along'], { type: 'image/png' }) },
        { kind: 'rectangle', tool: 'eraser', x: 1, y: 2, width: 3, height: 4 },
      ],
      isInverted: true,
      keepOutside: { feather: 8 },
    }),
  }),
  galleryRun(3, { madeOf: 'run-2', asked: { model: 'quick', prompt: '狐 "quoted" \n line' } }),
];

describe('an export', () => {
  it('brings back every run, star and mask', async () => {
    const gallery = await galleryOf(...rich);
    const copy = createMemoryGallery();
    const outcome = await importGallery(copy, { file: await exported(gallery) });
    expect(outcome).toEqual({ kind: 'done', added: 3, known: 0, damaged: 0 });
    expect(await contentOf(copy)).toEqual(await contentOf(gallery));
  });

  it('changes nothing about what is there already', async () => {
    const gallery = await galleryOf(...rich);
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
    const gallery = await galleryOf(...rich);
    const ids = await gallery.findIds({});
    await exportGallery(gallery, { ids, exportedAt, onProgress: (done) => counts.push(done) });
    expect(counts).toEqual([1, 2, 3]);
  });
});

it('pictures alone are packed under the names that they are downloaded with', async () => {
  const gallery = await galleryOf(...rich);
  const file = await zipImages(gallery, { ids: ['run-1', 'run-3', 'gone'] });
  expect([...(await readZip(file)).keys()]).toEqual([
    '2026-01-01_studio_picture-1_tr_1.png',
    '2026-01-01_quick_狐-quoted-line_tr_3.png',
  ]);
});

describe('an import refuses', () => {
  it('what is no export of ours', async () => {
    const foreign = [
      new Blob(['no zip']),
      await new Response(makeZip([{ name: 'a.txt', input: 'a' }])).blob(),
      await new Response(makeZip([{ name: manifestName, input: '{' }])).blob(),
      await withManifest(await exported(await galleryOf(galleryRun(1))), (manifest) => ({
        ...manifest,
        version: 2,
      })),
    ];
    for (const file of foreign) {
      expect(await importGallery(createMemoryGallery(), { file })).toEqual({ kind: 'foreign' });
    }
  });

  it.each<[string, (run: Record<string, unknown>) => object]>([
    ['an ID that could be anything', () => ({ id: '../../x' })],
    [
      'a picture of a type that can do more than be looked at',
      (run) => ({
        image: { ...(run['image'] as object), type: 'image/svg+xml' },
      }),
    ],
    [
      'a picture that is not there',
      (run) => ({
        image: { ...(run['image'] as object), file: 'images/none.png' },
      }),
    ],
    [
      'a picture that is another one',
      (run) => ({
        image: { ...(run['image'] as object), sha256: 'f'.repeat(64) },
      }),
    ],
    ['a picture without a size', (run) => ({ image: { ...(run['image'] as object), width: 0 } })],
    ['a prompt that is no text', () => ({ asked: { model: 'a', prompt: {} } })],
    ['a prompt without end', () => ({ asked: { model: 'a', prompt: 'x'.repeat(64_001) } })],
    ['a cost below zero', () => ({ costMicros: -1 })],
    ['a time that is none', () => ({ createdAt: 'yesterday' })],
    [
      'more references than any request has',
      () => ({ references: Array.from({ length: 65 }, () => ({})) }),
    ],
  ])('%s, and takes the others', async (_, change) => {
    const file = await withManifest(
      await exported(await galleryOf(galleryRun(1), galleryRun(2))),
      ({ runs, ...rest }) => ({
        ...rest,
        runs: runs.map((run) => (run['id'] === 'run-1' ? { ...run, ...change(run) } : run)),
      }),
    );
    const copy = createMemoryGallery();
    const outcome = await importGallery(copy, { file });
    expect(outcome).toEqual({ kind: 'done', added: 1, known: 0, damaged: 1 });
    expect(await copy.findIds({})).toEqual(['run-2']);
  });

  it('what no longer fits, and says how much did', async () => {
    const file = await exported(await galleryOf(...rich));
    const copy = createMemoryGallery();
    const small: Gallery = {
      ...copy,
      restoreRun: async (run) => {
        if ((await copy.findIds({})).length === 2) throw fullError();
        return copy.restoreRun(run);
      },
    };
    const outcome = await importGallery(small, { file });
    expect(outcome).toEqual({ kind: 'full', added: 2, total: 3 });
  });
});
