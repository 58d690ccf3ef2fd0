/** Everything that the gallery keeps as one ZIP: the pictures under readable names, and a manifest. */
import { makeZip } from 'client-zip';
import { extensionOf } from '../jobs/image-order.ts';
import type { MaskDocument } from '../mask/mask-document.ts';
import { fileNameOf } from './file-name.ts';
import type { GalleryRun, GalleryStore } from './gallery-store.ts';
import {
  type Manifest,
  type ManifestMask,
  type ManifestRun,
  manifestFormat,
  manifestName,
  manifestVersion,
} from './manifest.ts';

interface ExportWish {
  ids: readonly string[];
  /** ISO 8601 in UTC. */
  exportedAt: string;
  onProgress?: (done: number) => void;
}

interface ZipFile {
  name: string;
  input: Blob | string;
}

/** Read, packed and handed on one file after the other. */
export function exportGallery(gallery: GalleryStore, wish: ExportWish): Promise<Blob> {
  return zipOf(exportedFiles(gallery, wish));
}

/** Nothing but the pictures, under the names that they are downloaded with. */
export function zipImages(
  gallery: GalleryStore,
  { ids, onProgress }: Pick<ExportWish, 'ids' | 'onProgress'>,
): Promise<Blob> {
  return zipOf(imageFiles(gallery, { ids, ...(onProgress ? { onProgress } : {}) }));
}

async function zipOf(files: AsyncIterable<ZipFile>): Promise<Blob> {
  const blob = await new Response(makeZip(files)).blob();
  return new Blob([blob], { type: 'application/zip' });
}

async function* imageFiles(
  gallery: GalleryStore,
  { ids, onProgress }: Pick<ExportWish, 'ids' | 'onProgress'>,
): AsyncGenerator<ZipFile> {
  const names = new UniqueNames();
  for (const [index, id] of ids.entries()) {
    const run = await gallery.findRun(id);
    const image = run && (await gallery.loadImage(run));
    if (run && image) yield { name: names.take(imageNameOf(run)), input: image };
    onProgress?.(index + 1);
  }
}

async function* exportedFiles(
  gallery: GalleryStore,
  { ids, exportedAt, onProgress }: ExportWish,
): AsyncGenerator<ZipFile> {
  const names = new UniqueNames();
  /** What several runs show is there once: the name by what it is. */
  const written = new Map<string, string>();
  const runs: ManifestRun[] = [];
  for (const [index, id] of ids.entries()) {
    const found = await gallery.findRun(id);
    const packed = found && (await packRun(gallery, found, { names, written }));
    if (packed) {
      yield* packed.files;
      runs.push(packed.run);
    }
    onProgress?.(index + 1);
  }
  const manifest: Manifest = {
    format: manifestFormat,
    version: manifestVersion,
    exportedAt,
    runs,
  };
  yield { name: manifestName, input: JSON.stringify(manifest, null, 1) };
}

interface Package {
  names: UniqueNames;
  written: Map<string, string>;
}

/** Null when its picture is gone. */
async function packRun(
  gallery: GalleryStore,
  run: GalleryRun,
  { names, written }: Package,
): Promise<{ run: ManifestRun; files: readonly ZipFile[] } | null> {
  const image = await gallery.loadImage(run);
  const thumb = await gallery.loadThumb(run);
  if (!image || !thumb) return null;
  const files: ZipFile[] = [];
  const put = (key: string, wanted: string, input: Blob): string => {
    const known = written.get(key);
    if (known !== undefined) return known;
    const name = names.take(wanted);
    written.set(key, name);
    files.push({ name, input });
    return name;
  };
  const { image: stored, references, hasMask: _, ...rest } = run;
  const { id, type, bytes, width, height } = stored;
  const imageFile = put(`image ${id}`, `images/${imageNameOf(run)}`, image);
  const thumbFile = put(`thumb ${id}`, `thumbnails/${id}.${extensionOf(thumb.type)}`, thumb);
  const loaded = await gallery.loadReferences(run);
  const mask = await gallery.loadMask(run);
  return {
    run: {
      ...rest,
      image: { file: imageFile, type, sha256: id, bytes, width, height },
      thumb: { file: thumbFile, type: thumb.type },
      references: references.flatMap(({ id, name }, index) => {
        const found = loaded[index]?.image;
        if (!found || loaded.length !== references.length) return [];
        const path = `references/${id}.${extensionOf(found.type)}`;
        return [{ name, type: found.type, sha256: id, file: put(`reference ${id}`, path, found) }];
      }),
      mask: mask && packMask(mask, run.id, put),
    },
    files,
  };
}

function packMask(
  { png, shapes, ...rest }: MaskDocument,
  runId: string,
  put: (key: string, wanted: string, input: Blob) => string,
): ManifestMask {
  const name = `masks/${runId}`;
  return {
    ...rest,
    file: put(name, `${name}.png`, png),
    shapes: shapes.map((shape, index) => {
      if (shape.kind !== 'bitmap') return shape;
      const part = `${name}-${index}`;
      return { kind: 'bitmap', file: put(part, `${part}.png`, shape.png) };
    }),
  };
}

function imageNameOf({ createdAt, traceId, asked, image }: GalleryRun): string {
  const { model, prompt } = asked;
  return fileNameOf({ createdAt, model, prompt, traceId, type: image.type });
}

/** `fox.png`, `fox-2.png`: also where letters differ only in case, which some systems ignore. */
class UniqueNames {
  readonly #taken = new Set<string>();

  take(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name.toLowerCase()); number++) {
      name = wanted.replace(/(\.\w+)?$/, (extension) => `-${number}${extension}`);
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
