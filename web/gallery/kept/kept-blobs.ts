/**
 * Pictures as the browser's database takes them: as blobs, which it leaves in files until they are read, or as bytes
 * where it refuses blobs, as WebKit does in a private window.
 */
export interface KeptBytes {
  bytes: ArrayBuffer;
  /** The blob's media type. */
  type: string;
}

/** A value whose blobs, wherever they are in it, may be bytes. */
export type Kept<T> = T extends Blob
  ? T | KeptBytes
  : T extends readonly (infer E)[]
    ? readonly Kept<E>[]
    : T extends object
      ? { [K in keyof T]: Kept<T[K]> }
      : T;

/** Has a value written as it is, and once more with bytes for its blobs if the browser refuses those. */
export async function keepBlobs<T, R>(value: T, write: (kept: Kept<T>) => Promise<R>): Promise<R> {
  try {
    // What has blobs only is one of those that may have bytes.
    return await write(value as Kept<T>);
  } catch (error) {
    if (!refusesBlobs(error)) throw error;
    return write((await withBytes(value)) as Kept<T>);
  }
}

/** What was kept, with blobs again. */
export function withBlobs<T>(kept: Kept<T>): T {
  return blobsIn(kept) as T;
}

/** WebKit's of today, and of before 2019. Others have the first for a disk that fails, which then does so again. */
function refusesBlobs(error: unknown): boolean {
  return error instanceof DOMException && ['UnknownError', 'DataCloneError'].includes(error.name);
}

async function withBytes(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return { bytes: await value.arrayBuffer(), type: value.type };
  if (Array.isArray(value)) return Promise.all(value.map(withBytes));
  if (!isParts(value)) return value;
  const parts = Object.entries(value).map(async ([name, part]) => [name, await withBytes(part)]);
  return Object.fromEntries(await Promise.all(parts));
}

function blobsIn(value: unknown): unknown {
  if (isKeptBytes(value)) return new Blob([value.bytes], { type: value.type });
  if (Array.isArray(value)) return value.map(blobsIn);
  if (!isParts(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, blobsIn(part)]));
}

/** Whether it is what its parts are, and no more: a blob is none of these. */
function isParts(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function isKeptBytes(value: unknown): value is KeptBytes {
  return isParts(value) && 'bytes' in value && value.bytes instanceof ArrayBuffer;
}
