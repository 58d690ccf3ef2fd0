/**
 * Reads ZIP files whose entries are stored as they are, as our exports are. The file may come from
 * anywhere: every number in it is checked before it is used, and nothing is read that was not asked for.
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { crc32 } from '../../lib/crc32.ts';

export type ZipErrorKind =
  | 'no_zip'
  /** It begins as a ZIP, and its end is missing. */
  | 'incomplete'
  /** Another program has compressed or encrypted it. */
  | 'packed'
  | 'damaged';

/** The file is no ZIP that can be read here; the message is for us, not for users. */
export class ZipError extends Error {
  readonly kind: ZipErrorKind;

  constructor(kind: ZipErrorKind, message: string) {
    super(message);
    this.name = 'ZipError';
    this.kind = kind;
  }
}

export interface ZipEntry {
  name: string;
  bytes: number;
  /** Of its content. */
  crc32: number;
  /** Of its header in the file. */
  offset: number;
}

const zipLimits = {
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
  if (count > zipLimits.entriesMax) throw damaged('too many entries');
  if (bytes > zipLimits.directoryBytesMax) throw damaged('the directory is too large');
  const view = await viewOf(file, offset, bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const { entry, next } = readDirectoryEntry(view, at);
    entries.push(entry);
    at = next;
  }
  checkPlaces(entries, offset);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** The content of an entry, every byte as it was packed. */
export async function readEntry(
  file: Blob,
  { offset, bytes, crc32: expected }: ZipEntry,
): Promise<Uint8Array<ArrayBuffer>> {
  const view = await viewOf(file, offset, headerBytes.entry);
  if (view.getUint32(0, true) !== signatures.entry) throw damaged('an entry has no header');
  const from = offset + headerBytes.entry + view.getUint16(26, true) + view.getUint16(28, true);
  const content = new Uint8Array(await bytesAt(file, from, bytes));
  if (crc32(content) !== expected) throw damaged('an entry has changed');
  return content;
}

/**
 * Each entry has a place of its own before the directory. In files that are made to harm, many share
 * one, and a small file unpacks to more than any disk holds.
 */
function checkPlaces(entries: readonly ZipEntry[], directoryAt: number): void {
  let free = 0;
  for (const { offset, bytes } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < free) throw damaged('two entries share a place');
    free = offset + headerBytes.entry + bytes;
    if (free > directoryAt) throw damaged('an entry lies outside');
  }
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
  const kind = (await beginsAsZip(file)) ? 'incomplete' : 'no_zip';
  throw new ZipError(kind, 'no end of a directory');
}

async function beginsAsZip(file: Blob): Promise<boolean> {
  const start = new DataView(await file.slice(0, 4).arrayBuffer());
  return start.byteLength === 4 && start.getUint32(0, true) === signatures.entry;
}

/** More than 4 GB, or more than 65,534 entries: ZIP64 says the same in longer numbers. */
async function findLargeDirectory(file: Blob, endAt: number): Promise<Directory> {
  const locator = await viewOf(file, endAt - headerBytes.locator, headerBytes.locator);
  if (locator.getUint32(0, true) !== signatures64.locator) throw damaged('no locator');
  const view = await viewOf(file, read64(locator, 8), headerBytes.end64);
  if (view.getUint32(0, true) !== signatures64.end) throw damaged('no end of a directory');
  return { count: read64(view, 32), bytes: read64(view, 40), offset: read64(view, 48) };
}

function readDirectoryEntry(view: DataView, at: number): { entry: ZipEntry; next: number } {
  if (at + headerBytes.directory > view.byteLength) throw damaged('the directory is cut');
  if (view.getUint32(at, true) !== signatures.directory) throw damaged('no directory entry');
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const nameBytes = view.getUint16(at + 28, true);
  const extraBytes = view.getUint16(at + 30, true);
  const extraAt = at + headerBytes.directory + nameBytes;
  const next = extraAt + extraBytes + view.getUint16(at + 32, true);
  if (next > view.byteLength) throw damaged('the directory is cut');
  if ((flags & encryptedFlag) !== 0) throw packed('an entry is encrypted');
  if (method !== stored) throw packed('an entry is compressed');
  const sizes = readSizes(view, at, { from: extraAt, to: extraAt + extraBytes });
  if (sizes.packed !== sizes.bytes) throw damaged('an entry has two sizes');
  const name = textOf(view, at + headerBytes.directory, nameBytes);
  const crc32 = view.getUint32(at + 16, true);
  return { entry: { name, bytes: sizes.bytes, crc32, offset: sizes.offset }, next };
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
    if (!long || (next + 1) * 8 > long.byteLength) throw damaged('a size is missing');
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
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged('a number is too large');
  return Number(value);
}

async function viewOf(file: Blob, offset: number, bytes: number): Promise<DataView> {
  return new DataView(await bytesAt(file, offset, bytes));
}

async function bytesAt(file: Blob, offset: number, bytes: number): Promise<ArrayBuffer> {
  if (offset < 0 || offset + bytes > file.size) throw damaged('it ends too early');
  return file.slice(offset, offset + bytes).arrayBuffer();
}

function textOf(view: DataView, at: number, bytes: number): string {
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, bytes));
}

function damaged(message: string): ZipError {
  return new ZipError('damaged', message);
}

function packed(message: string): ZipError {
  return new ZipError('packed', message);
}
