import { makeZip } from 'client-zip';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentOf,
  exported,
  galleryOf,
  type ListedRun,
  withManifest,
} from '../../../test/support/console/gallery-exports.ts';
import { galleryRun, maskOf, richRuns } from '../../../test/support/console/gallery-runs.ts';
import { fullError, type Gallery } from '../gallery.ts';
import { createMemoryGallery } from '../kept/memory-gallery.ts';
import { importGallery } from './import-gallery.ts';
import { manifestName } from './manifest.ts';
import { manifestLimits } from './read-manifest.ts';
import { readZip } from './zip-reader.ts';

function zipOf(...files: readonly { name: string; input: string }[]): Promise<Blob> {
  return new Response(makeZip(files)).blob();
}

async function anExport(): Promise<Blob> {
  return exported(await galleryOf(...richRuns));
}

/** What came of it in a gallery that keeps something already, which has to stay as it is. */
async function refusalOf(file: Blob): Promise<string> {
  const gallery = await galleryOf(galleryRun(1), galleryRun(7));
  const before = await contentOf(gallery);
  const outcome = await importGallery(gallery, { file });
  expect(await contentOf(gallery)).toEqual(before);
  return outcome.kind === 'refused' ? outcome.why : outcome.kind;
}

describe('an import refuses as a whole, and leaves everything as it was', () => {
  it.each([
    ['what is no ZIP', new Blob(['no zip'])],
    ['a ZIP of something else', zipOf({ name: 'a.txt', input: 'a' })],
    ['a manifest that is none', zipOf({ name: manifestName, input: '{' })],
    ['a manifest of another format', zipOf({ name: manifestName, input: '{"format":"zip"}' })],
  ])('%s', async (_, file) => {
    expect(await refusalOf(await file)).toBe('foreign');
  });

  it('an export of a later version', async () => {
    const later = await withManifest(await anExport(), (manifest) => ({ ...manifest, version: 2 }));
    expect(await refusalOf(later)).toBe('newer');
  });

  it('a version that never was', async () => {
    for (const version of [0, '1', null, undefined]) {
      const file = await withManifest(await anExport(), (manifest) => ({ ...manifest, version }));
      expect(await refusalOf(file)).toBe('foreign');
    }
  });

  it('an export that was compressed by another program', async () => {
    const bytes = await (await anExport()).arrayBuffer();
    const view = new DataView(bytes);
    const directoryAt = view.getUint32(view.byteLength - 22 + 16, true);
    view.setUint16(directoryAt + 10, 8, true);
    expect(await refusalOf(new Blob([bytes]))).toBe('packed');
  });

  it('an export without its end, wherever it was cut', async () => {
    const file = await anExport();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4, max: file.size - 1 }), async (end) => {
        expect(await refusalOf(file.slice(0, end))).toBe('incomplete');
      }),
    );
  });

  it('a manifest of which a letter has changed', async () => {
    const file = await anExport();
    const entry = (await readZip(file)).get(manifestName);
    const bytes = new Uint8Array(await file.arrayBuffer());
    bytes[(entry?.offset ?? 0) + 60] = 0;
    expect(await refusalOf(new Blob([bytes]))).toBe('damaged');
  });
});

it('whatever has changed about an export, what is there stays, and nothing false comes in', async () => {
  const file = await anExport();
  const whole = new Uint8Array(await file.arrayBuffer());
  const truth = new Map(
    (await contentOf(await galleryOf(...richRuns))).map((each) => [each.run.id, each]),
  );
  const wound = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.array(wound, { minLength: 1, maxLength: 4 }), async (wounds) => {
      const bytes = whole.slice();
      for (const [at, value] of wounds) bytes[at] = value;
      const gallery = await galleryOf(galleryRun(7));
      const [before] = await contentOf(gallery);
      await importGallery(gallery, { file: new Blob([bytes]) });
      for (const each of await contentOf(gallery)) {
        expect(each).toEqual(each.run.id === 'run-7' ? before : truth.get(each.run.id));
      }
    }),
  );
});

it('names that lead out of the archive are names like others, and do not come out again', async () => {
  const out = '../../../etc/passwd';
  const hostile = await withManifest(
    await exported(await galleryOf(galleryRun(1, { mask: maskOf() }))),
    ({ runs, ...rest }) => ({
      ...rest,
      runs: runs.map((run) => ({
        ...run,
        traceId: out,
        asked: { model: out, prompt: out },
        thumb: { file: out, type: 'image/png' },
      })),
    }),
    [{ name: out, input: 'a thumbnail' }],
  );
  const gallery = createMemoryGallery();
  expect(await importGallery(gallery, { file: hostile })).toMatchObject({ kind: 'done', added: 1 });
  const names = [...(await readZip(await exported(gallery))).keys()];
  expect(names).toHaveLength(4);
  for (const name of names) expect(name).toMatch(/^[a-z]+(\/(?!\.)[^/\\]+)?(\.json)?$/);
});

it('one file cannot be many masks without being counted as many', async () => {
  const file = await withManifest(
    await exported(await galleryOf(galleryRun(1, { mask: maskOf() }))),
    ({ runs: [run], ...rest }) => ({
      ...rest,
      runs: Array.from({ length: 100 }, (_, number) => ({ ...run, id: `copy-${number}` })),
    }),
  );
  const gallery = createMemoryGallery();
  await importGallery(gallery, { file });
  const one = await galleryOf(galleryRun(1));
  const maskBytes = 'mask'.length + 4 * 8;
  expect((await gallery.readFacts()).bytes).toBe((await one.readFacts()).bytes + 100 * maskBytes);
});

describe('an import leaves out', () => {
  it.each<[string, (run: ListedRun) => object]>([
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
    [
      'a thumbnail that is the whole archive',
      () => ({ thumb: { file: 'large', type: 'image/png' } }),
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
    const large = 'x'.repeat(manifestLimits.thumbBytesMax + 1);
    const file = await withManifest(
      await exported(await galleryOf(galleryRun(1), galleryRun(2))),
      ({ runs, ...rest }) => ({
        ...rest,
        runs: runs.map((run) => (run['id'] === 'run-1' ? { ...run, ...change(run) } : run)),
      }),
      [{ name: 'large', input: large }],
    );
    const copy = createMemoryGallery();
    const outcome = await importGallery(copy, { file });
    expect(outcome).toEqual({ kind: 'done', added: 1, known: 0, damaged: 1 });
    expect(await copy.findIds({})).toEqual(['run-2']);
  });

  it('what no longer fits, and says how much did', async () => {
    const file = await exported(await galleryOf(...richRuns));
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
