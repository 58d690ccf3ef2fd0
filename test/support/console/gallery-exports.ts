/** Galleries that are exported, and exports that somebody has tampered with. */
import { makeZip } from 'client-zip';
import { exportGallery } from '../../../web/gallery/archive/export-gallery.ts';
import { manifestName } from '../../../web/gallery/archive/manifest.ts';
import { readEntry, readZip } from '../../../web/gallery/archive/zip-reader.ts';
import type { Gallery } from '../../../web/gallery/gallery.ts';
import type { RestoredRun } from '../../../web/gallery/kept/gallery-store.ts';
import { createMemoryGallery } from '../../../web/gallery/kept/memory-gallery.ts';

const exportedAt = '2026-01-02T03:04:05.000Z';

export async function galleryOf(...runs: readonly RestoredRun[]): Promise<Gallery> {
  const gallery = createMemoryGallery();
  for (const run of runs) await gallery.restoreRun(run);
  return gallery;
}

export async function exported(gallery: Gallery): Promise<Blob> {
  return (await exportGallery(gallery, { ids: await gallery.findIds({}), exportedAt })).file;
}

/** Everything about a gallery that somebody could miss. */
export async function contentOf(gallery: Gallery) {
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

/** The runs as they stand in a manifest. */
export type ListedRun = Record<string, unknown>;

/** The same export with another manifest, and with some more files. */
export async function withManifest(
  file: Blob,
  change: (manifest: { runs: ListedRun[] }) => unknown,
  more: readonly { name: string; input: string }[] = [],
): Promise<Blob> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, entry] of await readZip(file)) files.set(name, await readEntry(file, entry));
  const text = new TextDecoder().decode(files.get(manifestName));
  files.delete(manifestName);
  // Written by the export itself.
  const manifest = JSON.parse(text) as { runs: ListedRun[] };
  const kept = [...files].map(([name, input]) => ({ name, input }));
  const input = JSON.stringify(change(manifest));
  return new Response(makeZip([...kept, ...more, { name: manifestName, input }])).blob();
}
