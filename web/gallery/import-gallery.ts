/** Brings an export back: what is there already stays as it is, what is damaged stays out. */
import { sha256 } from '../lib/sha256.ts';
import type { MaskDocument, MaskShape } from '../mask/mask-document.ts';
import type { Gallery, RestoredRun } from './gallery.ts';
import { type ManifestMask, type ManifestRun, manifestName } from './manifest.ts';
import { manifestLimits, readManifest } from './read-manifest.ts';
import { openEntry, readZip, type ZipEntry, ZipError } from './zip-reader.ts';

export type ImportOutcome =
  | { kind: 'done'; added: number; known: number; damaged: number }
  /** No export of ours. */
  | { kind: 'foreign' }
  /** There was room for so many of them. */
  | { kind: 'full'; added: number; total: number };

export interface ImportWish {
  file: Blob;
  onProgress?: (done: number, total: number) => void;
}

export async function importGallery(
  gallery: Gallery,
  { file, onProgress }: ImportWish,
): Promise<ImportOutcome> {
  const opened = await openExport(file);
  if (!opened) return { kind: 'foreign' };
  const { archive, runs, unreadable } = opened;
  const counts = { added: 0, known: 0, damaged: unreadable };
  for (const [index, listed] of runs.entries()) {
    const outcome = await importRun(gallery, archive, listed);
    if (outcome === 'full') return { kind: 'full', added: counts.added, total: runs.length };
    counts[outcome]++;
    onProgress?.(index + 1, runs.length);
  }
  return { kind: 'done', ...counts };
}

/** Reads a file of the ZIP as a picture of this type; null when it is not there. */
type Archive = (name: string, type: string) => Promise<Blob | null>;

async function openExport(file: Blob) {
  try {
    const entries = await readZip(file);
    const manifest = await readText(file, entries.get(manifestName));
    const read = manifest === null ? null : readManifest(manifest);
    if (!read) return null;
    const archive: Archive = async (name, type) => {
      const entry = entries.get(name);
      if (!entry) return null;
      const part = await openEntry(file, entry);
      // A copy: what is a part of a file ends with the file.
      return new Blob([await part.arrayBuffer()], { type });
    };
    return { ...read, archive };
  } catch (error) {
    if (error instanceof ZipError) return null;
    throw error;
  }
}

async function readText(file: Blob, entry: ZipEntry | undefined): Promise<string | null> {
  if (!entry || entry.bytes > manifestLimits.bytesMax) return null;
  return (await openEntry(file, entry)).text();
}

async function importRun(
  gallery: Gallery,
  archive: Archive,
  listed: ManifestRun,
): Promise<'added' | 'known' | 'damaged' | 'full'> {
  try {
    if (await gallery.findRun(listed.id)) return 'known';
    const run = await unpackRun(archive, listed);
    if (!run) return 'damaged';
    return (await gallery.restoreRun(run)) ? 'added' : 'known';
  } catch (error) {
    if (error instanceof ZipError) return 'damaged';
    if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full';
    throw error;
  }
}

/** Null when a picture is missing, or is not the one that was exported. */
async function unpackRun(archive: Archive, listed: ManifestRun): Promise<RestoredRun | null> {
  const { image: imageFile, thumb: thumbFile, references, mask: maskFile, ...rest } = listed;
  const image = await openChecked(archive, imageFile);
  const thumb = await archive(thumbFile.file, thumbFile.type);
  const opened = await Promise.all(
    references.map(async (each) => ({ name: each.name, image: await openChecked(archive, each) })),
  );
  const mask = maskFile && (await unpackMask(archive, maskFile));
  const found = opened.flatMap(({ name, image }) => (image ? [{ name, image }] : []));
  if (!image || !thumb || found.length < references.length || (maskFile && !mask)) return null;
  const { width, height } = imageFile;
  return { ...rest, image, width, height, thumb, references: found, mask };
}

async function openChecked(
  archive: Archive,
  { file, type, sha256: expected }: { file: string; type: string; sha256: string },
): Promise<Blob | null> {
  const found = await archive(file, type);
  return found && (await sha256(found)) === expected ? found : null;
}

async function unpackMask(archive: Archive, mask: ManifestMask): Promise<MaskDocument | null> {
  const { file, shapes: listed, ...rest } = mask;
  const png = await archive(file, 'image/png');
  const shapes: MaskShape[] = [];
  for (const shape of listed) {
    if (shape.kind !== 'bitmap') shapes.push(shape);
    else {
      const part = await archive(shape.file, 'image/png');
      if (!part) return null;
      shapes.push({ kind: 'bitmap', png: part });
    }
  }
  return png && { ...rest, png, shapes };
}
