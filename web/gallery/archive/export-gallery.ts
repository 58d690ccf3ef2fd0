/** Everything that the gallery keeps as one ZIP: the pictures under readable names, and a manifest. */
import { makeZip } from 'client-zip';
import { extensionOf } from '../../jobs/image-order.ts';
import type { GalleryRun, GalleryStore } from '../kept/gallery-store.ts';
import { fileNameOf } from './file-name.ts';
import {
  type Manifest,
  type ManifestMask,
  type ManifestReference,
  type ManifestRun,
  type ManifestShape,
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

export interface PackedGallery {
  file: Blob;
  packed: number;
  /** Pictures that this browser lists and cannot read: they are left out. */
  unreadable: number;
  /** Pictures without the references or the mask that they were made with, for these cannot be read. */
  bare: number;
}

type Counts = Omit<PackedGallery, 'file'>;

interface ZipFile {
  name: string;
  input: Uint8Array<ArrayBuffer> | string;
}

/** Read, packed and handed on one run after the other; one that cannot be read is left out. */
export function exportGallery(gallery: GalleryStore, wish: ExportWish): Promise<PackedGallery> {
  return zipOf((counts) => exportedFiles(gallery, wish, counts));
}

/** Nothing but the pictures, under the names that they are downloaded with. */
export function zipImages(
  gallery: GalleryStore,
  wish: Pick<ExportWish, 'ids' | 'onProgress'>,
): Promise<PackedGallery> {
  return zipOf((counts) => imageFiles(gallery, wish, counts));
}

async function zipOf(pack: (counts: Counts) => AsyncIterable<ZipFile>): Promise<PackedGallery> {
  const counts: Counts = { packed: 0, unreadable: 0, bare: 0 };
  const blob = await new Response(makeZip(pack(counts))).blob();
  return { file: new Blob([blob], { type: 'application/zip' }), ...counts };
}

async function* imageFiles(
  gallery: GalleryStore,
  { ids, onProgress }: Pick<ExportWish, 'ids' | 'onProgress'>,
  counts: Counts,
): AsyncGenerator<ZipFile> {
  const names = new UniqueNames();
  for (const [index, id] of ids.entries()) {
    const run = await gallery.findRun(id);
    const input =
      run && (await unlessUnreadable(async () => bytesOf(await gallery.loadImage(run))));
    count(counts, run, input);
    if (run && input) yield { name: names.take(imageNameOf(run)), input };
    onProgress?.(index + 1);
  }
}

/** A run that was deleted meanwhile counts for nothing. */
function count(counts: Counts, run: GalleryRun | null, packed: unknown): void {
  if (run && packed) counts.packed++;
  else if (run) counts.unreadable++;
}

/** Null where the browser has lost what it lists: that must not cost all the others. */
async function unlessUnreadable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}

/** Read here, for within the ZIP one that cannot be read would end everything. */
async function bytesOf(blob: Blob | null): Promise<Uint8Array<ArrayBuffer> | null> {
  return blob && new Uint8Array(await blob.arrayBuffer());
}

async function* exportedFiles(
  gallery: GalleryStore,
  { ids, exportedAt, onProgress }: ExportWish,
  counts: Counts,
): AsyncGenerator<ZipFile> {
  const names = new UniqueNames();
  /** What several runs show is there once: the name by what it is. */
  const written = new Map<string, string>();
  const runs: ManifestRun[] = [];
  for (const [index, id] of ids.entries()) {
    const found = await gallery.findRun(id);
    const files = new RunFiles(names, written);
    const packed = found && (await unlessUnreadable(() => packRun(gallery, found, files)));
    count(counts, found, packed);
    if (packed) {
      if (packed.isBare) counts.bare++;
      for (const [key, name] of files.fresh) written.set(key, name);
      yield* files.files;
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

/** Null when its picture is gone. */
async function packRun(
  gallery: GalleryStore,
  run: GalleryRun,
  files: RunFiles,
): Promise<{ run: ManifestRun; isBare: boolean } | null> {
  const image = await gallery.loadImage(run);
  const thumb = await gallery.loadThumb(run);
  if (!image || !thumb) return null;
  const { image: stored, references: listed, hasMask, ...rest } = run;
  const { id, type, bytes, width, height } = stored;
  const imageFile = await files.put(`image ${id}`, `images/${imageNameOf(run)}`, image);
  const thumbName = `thumbnails/${id}.${extensionOf(thumb.type)}`;
  const thumbFile = await files.put(`thumb ${id}`, thumbName, thumb);
  // The picture is worth more than what it was made of.
  const references = await files.allOrNone(() => packReferences(gallery, run, files));
  const mask = await files.allOrNone(() => packMask(gallery, run, files));
  return {
    run: {
      ...rest,
      image: { file: imageFile, type, sha256: id, bytes, width, height },
      thumb: { file: thumbFile, type: thumb.type },
      references: references ?? [],
      mask,
    },
    isBare: (references?.length ?? 0) < listed.length || (hasMask && !mask),
  };
}

async function packReferences(
  gallery: GalleryStore,
  run: GalleryRun,
  files: RunFiles,
): Promise<ManifestReference[]> {
  const loaded = await gallery.loadReferences(run);
  // Which of them are gone, nobody knows.
  if (loaded.length !== run.references.length) return [];
  const packed: ManifestReference[] = [];
  for (const [index, { name, image }] of loaded.entries()) {
    const sha256 = run.references[index]?.id ?? '';
    const wanted = `references/${sha256}.${extensionOf(image.type)}`;
    const file = await files.put(`reference ${sha256}`, wanted, image);
    packed.push({ name, type: image.type, sha256, file });
  }
  return packed;
}

async function packMask(
  gallery: GalleryStore,
  run: GalleryRun,
  files: RunFiles,
): Promise<ManifestMask | null> {
  const mask = await gallery.loadMask(run);
  if (!mask) return null;
  const { png, shapes, ...rest } = mask;
  const name = `masks/${run.id}`;
  const packed: ManifestShape[] = [];
  const file = await files.put(name, `${name}.png`, png);
  for (const [index, shape] of shapes.entries()) {
    const part = `${name}-${index}`;
    if (shape.kind !== 'bitmap') packed.push(shape);
    else packed.push({ kind: 'bitmap', file: await files.put(part, `${part}.png`, shape.png) });
  }
  return { ...rest, file, shapes: packed };
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

/** The files of one run. What an earlier one has put into the ZIP is not there twice. */
class RunFiles {
  readonly files: ZipFile[] = [];
  readonly #names: UniqueNames;
  readonly #written: ReadonlyMap<string, string>;
  readonly #fresh = new Map<string, string>();

  /** @param written what is in the ZIP already: the name by what it is */
  constructor(names: UniqueNames, written: ReadonlyMap<string, string>) {
    this.#names = names;
    this.#written = written;
  }

  /** What these files are, by their names. */
  get fresh(): ReadonlyMap<string, string> {
    return this.#fresh;
  }

  /** Answers with the name. Rejects where it cannot be read. */
  async put(key: string, wanted: string, blob: Blob): Promise<string> {
    const known = this.#written.get(key) ?? this.#fresh.get(key);
    if (known !== undefined) return known;
    const input = new Uint8Array(await blob.arrayBuffer());
    const name = this.#names.take(wanted);
    this.#fresh.set(key, name);
    this.files.push({ name, input });
    return name;
  }

  /** Null, and nothing of it is put, where some of it cannot be read. */
  async allOrNone<T>(pack: () => Promise<T>): Promise<T | null> {
    const before = this.files.length;
    const packed = await unlessUnreadable(pack);
    if (packed !== null) return packed;
    const dropped = new Set(this.files.splice(before).map(({ name }) => name));
    for (const [key, name] of this.#fresh) if (dropped.has(name)) this.#fresh.delete(key);
    return null;
  }
}
