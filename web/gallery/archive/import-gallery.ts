/**
 * Brings an export back: what is there already stays as it is, what the browser has lost of it comes again, and
 * what is damaged stays out.
 */
import { sha256 } from '../../lib/sha256.ts';
import type { MaskDocument, MaskShape } from '../../mask/mask-document.ts';
import { maskLimits } from '../../mask/mask-limits.ts';
import type { Gallery } from '../gallery.ts';
import { canBeRead } from '../kept/can-be-read.ts';
import type { RestoredRun } from '../kept/gallery-store.ts';
import {
  type ManifestFile,
  type ManifestMask,
  type ManifestRun,
  manifestName,
} from './manifest.ts';
import { manifestLimits, readManifest } from './read-manifest.ts';
import { readEntry, readZip, type ZipEntry, ZipError } from './zip-reader.ts';

export type ImportOutcome =
  | { kind: 'done'; added: number; known: number; damaged: number }
  /** Nothing of it could be read. */
  | { kind: 'refused'; why: ImportRefusal }
  /** There was room for so many of them. */
  | { kind: 'full'; added: number; total: number };

export type ImportRefusal = 'foreign' | 'newer' | 'incomplete' | 'packed' | 'damaged';

export interface ImportWish {
  file: Blob;
  onProgress?: (done: number, total: number) => void;
}

export async function importGallery(
  gallery: Gallery,
  { file, onProgress }: ImportWish,
): Promise<ImportOutcome> {
  const opened = await openExport(file);
  if (opened.kind === 'refused') return opened;
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

/** Reads a file of the ZIP as a picture of this type; null when it is not there, or is too large. */
type Archive = (file: { name: string; type: string; bytesMax: number }) => Promise<Blob | null>;

type OpenedExport =
  | { kind: 'opened'; archive: Archive; runs: readonly ManifestRun[]; unreadable: number }
  | Extract<ImportOutcome, { kind: 'refused' }>;

async function openExport(file: Blob): Promise<OpenedExport> {
  try {
    const entries = await readZip(file);
    const text = await readText(file, entries.get(manifestName));
    const read = text === null ? { kind: 'foreign' as const } : readManifest(text);
    if (read.kind !== 'manifest') return { kind: 'refused', why: read.kind };
    const archive: Archive = async ({ name, type, bytesMax }) => {
      const entry = entries.get(name);
      if (!entry || entry.bytes > bytesMax) return null;
      return new Blob([await readEntry(file, entry)], { type });
    };
    return { kind: 'opened', archive, runs: read.runs, unreadable: read.unreadable };
  } catch (error) {
    if (error instanceof ZipError) return { kind: 'refused', why: refusalOf(error) };
    throw error;
  }
}

function refusalOf({ kind }: ZipError): ImportRefusal {
  return kind === 'no_zip' ? 'foreign' : kind;
}

async function readText(file: Blob, entry: ZipEntry | undefined): Promise<string | null> {
  if (!entry || entry.bytes > manifestLimits.bytesMax) return null;
  return new TextDecoder().decode(await readEntry(file, entry));
}

async function importRun(
  gallery: Gallery,
  archive: Archive,
  listed: ManifestRun,
): Promise<'added' | 'known' | 'damaged' | 'full'> {
  try {
    const known = await gallery.findRun(listed.id);
    if (known && (await canBeRead(gallery, known))) return 'known';
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
  const { thumbBytesMax: bytesMax } = manifestLimits;
  const thumb = await archive({ name: thumbFile.file, type: thumbFile.type, bytesMax });
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
  { file: name, type, sha256: expected }: ManifestFile,
): Promise<Blob | null> {
  const found = await archive({ name, type, bytesMax: manifestLimits.pictureBytesMax });
  return found && (await sha256(found)) === expected ? found : null;
}

async function unpackMask(archive: Archive, mask: ManifestMask): Promise<MaskDocument | null> {
  const { file, shapes: listed, ...rest } = mask;
  const open = (name: string) =>
    archive({ name, type: 'image/png', bytesMax: maskLimits.uploadBytesMax });
  const png = await open(file);
  const shapes: MaskShape[] = [];
  for (const shape of listed) {
    if (shape.kind !== 'bitmap') shapes.push(shape);
    else {
      const part = await open(shape.file);
      if (!part) return null;
      shapes.push({ kind: 'bitmap', png: part });
    }
  }
  return png && { ...rest, png, shapes };
}
