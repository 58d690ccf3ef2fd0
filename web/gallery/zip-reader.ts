/**
 * Reads ZIP files whose entries are stored as they are, as our exports are. The file may come from
 * anywhere: every number in it is checked before it is used, and nothing is read that was not asked for.
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

/** The file is no ZIP that can be read here; why is for us, not for users. */
export class ZipError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ZipError';
  }
}

export interface ZipEntry {
  name: string;
  bytes: number;
  /** Of its header in the file. */
  offset: number;
}

export const zipLimits = {
  entriesMax: 200_000,
  directoryBytesMax: 64 * 1_048_576,
  /** The end of the directory may be followed by a comment of so many bytes. */
  commentBytesMax: 65_535,
} as const;

const signatures = { entry: 0x0403_4b50, directory: 0x0201_4b50, end: 0x0605_4b50 } as const;
const signatures64 = { end: 0x0606_4b50, locator: 0x0706_4b50, extra: 1 } as const;
const headerBytes = { entry: 30, directory: 46, end: 22, end64: 56, locator: 20 } as const;
const full16 = 0xffff;
const full32 = 0xffff_ffff;
const stored = 0;
const encryptedFlag = 1;

/** By name; of two entries of one name the last counts, as everywhere. */
export async function readZip(file: Blob): Promise<ReadonlyMap<string, ZipEntry>> {
  const { count, offset, bytes } = await findDirectory(file);
  if (count > zipLimits.entriesMax) throw new ZipError('too many entries');
  if (bytes > zipLimits.directoryBytesMax) throw new ZipError('the directory is too large');
  const view = await viewOf(file, offset, bytes);
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let index = 0; index < count; index++) {
    const { entry, next } = readEntry(view, at);
    if (entry.offset + entry.bytes > file.size) throw new ZipError('an entry lies outside');
    entries.set(entry.name, entry);
    at = next;
  }
  return entries;
}

/** The content of an entry, as a part of the file. */
export async function openEntry(file: Blob, { offset, bytes }: ZipEntry): Promise<Blob> {
  const view = await viewOf(file, offset, headerBytes.entry);
  if (view.getUint32(0, true) !== signatures.entry) throw new ZipError('an entry has no header');
  const from = offset + headerBytes.entry + view.getUint16(26, true) + view.getUint16(28, true);
  if (from + bytes > file.size) throw new ZipError('an entry lies outside');
  return file.slice(from, from + bytes);
}

interface Directory {
  count: number;
  offset: number;
  bytes: number;
}

async function findDirectory(file: Blob): Promise<Directory> {
  const tail = Math.min(file.size, headerBytes.end + zipLimits.commentBytesMax);
  const start = file.size - tail;
  const view = await viewOf(file, start, tail);
  for (let at = tail - headerBytes.end; at >= 0; at--) {
    if (view.getUint32(at, true) !== signatures.end) continue;
    const found = {
      count: view.getUint16(at + 10, true),
      bytes: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    };
    const isLarge = found.count === full16 || found.bytes === full32 || found.offset === full32;
    return isLarge ? findLargeDirectory(file, start + at) : found;
  }
  throw new ZipError('no end of a directory');
}

/** More than 4 GB, or more than 65,534 entries: ZIP64 says the same in longer numbers. */
async function findLargeDirectory(file: Blob, endAt: number): Promise<Directory> {
  const locator = await viewOf(file, endAt - headerBytes.locator, headerBytes.locator);
  if (locator.getUint32(0, true) !== signatures64.locator) throw new ZipError('no locator');
  const view = await viewOf(file, read64(locator, 8), headerBytes.end64);
  if (view.getUint32(0, true) !== signatures64.end) throw new ZipError('no end of a directory');
  return { count: read64(view, 32), bytes: read64(view, 40), offset: read64(view, 48) };
}

function readEntry(view: DataView, at: number): { entry: ZipEntry; next: number } {
  if (at + headerBytes.directory > view.byteLength) throw new ZipError('the directory is cut');
  if (view.getUint32(at, true) !== signatures.directory) throw new ZipError('no directory entry');
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const nameBytes = view.getUint16(at + 28, true);
  const extraBytes = view.getUint16(at + 30, true);
  const extraAt = at + headerBytes.directory + nameBytes;
  const next = extraAt + extraBytes + view.getUint16(at + 32, true);
  if (next > view.byteLength) throw new ZipError('the directory is cut');
  if ((flags & encryptedFlag) !== 0) throw new ZipError('an entry is encrypted');
  if (method !== stored) throw new ZipError('an entry is compressed');
  const sizes = readSizes(view, at, { from: extraAt, to: extraAt + extraBytes });
  if (sizes.packed !== sizes.bytes) throw new ZipError('an entry has two sizes');
  const name = textOf(view, at + headerBytes.directory, nameBytes);
  return { entry: { name, bytes: sizes.bytes, offset: sizes.offset }, next };
}

/** Numbers that are too long for their place are in the extra field, in this order. */
function readSizes(view: DataView, at: number, extra: { from: number; to: number }) {
  const short = {
    bytes: view.getUint32(at + 24, true),
    packed: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  };
  const long = findExtra64(view, extra);
  let next = 0;
  const take = (value: number): number => {
    if (value !== full32) return value;
    if (!long || (next + 1) * 8 > long.byteLength) throw new ZipError('a size is missing');
    return read64(long, 8 * next++);
  };
  return { bytes: take(short.bytes), packed: take(short.packed), offset: take(short.offset) };
}

function findExtra64(view: DataView, { from, to }: { from: number; to: number }): DataView | null {
  let at = from;
  while (at + 4 <= to) {
    const bytes = view.getUint16(at + 2, true);
    if (at + 4 + bytes > to) return null;
    if (view.getUint16(at, true) === signatures64.extra) {
      return new DataView(view.buffer, view.byteOffset + at + 4, bytes);
    }
    at += 4 + bytes;
  }
  return null;
}

function read64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipError('a number is too large');
  return Number(value);
}

async function viewOf(file: Blob, offset: number, bytes: number): Promise<DataView> {
  if (offset < 0 || offset + bytes > file.size) throw new ZipError('it ends too early');
  return new DataView(await file.slice(offset, offset + bytes).arrayBuffer());
}

function textOf(view: DataView, at: number, bytes: number): string {
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, bytes));
}
