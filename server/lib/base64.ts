/**
 * Base64 for pictures: text held as ASCII bytes, converted by Node's native code in blocks small
 * enough that no picture ever becomes one big JavaScript string.
 */
import { memoryPool } from './memory-pool.ts';

/** Whole groups of three bytes and four characters; the fastest size measured. */
const blockBytes = 12 * 1024;
const blockCharacters = (blockBytes / 3) * 4;

const padding = 0x3d;

/** Base64 text as ASCII bytes, with padding. */
export function encodeBase64(bytes: Buffer): Buffer {
  const ascii = Buffer.allocUnsafe(Math.ceil(bytes.length / 3) * 4);
  let written = 0;
  for (let start = 0; start < bytes.length; start += blockBytes) {
    const block = bytes.toString('base64', start, Math.min(start + blockBytes, bytes.length));
    written += ascii.write(block, written, 'latin1');
  }
  return ascii;
}

/**
 * The bytes, or null unless the text is exactly what {@link encodeBase64} writes for them: the
 * standard alphabet, padded, without white space. So every picture has one text only.
 */
export function decodeBase64(ascii: Buffer): Buffer | null {
  if (!mayBeBase64(ascii)) return null;
  const bytes = Buffer.allocUnsafe(decodedLength(ascii));
  return decodeInto(bytes, ascii) ? bytes : null;
}

/**
 * What `look` says of the bytes, which are gone when it returns; null for what {@link decodeBase64}
 * refuses. For those who want to know something of a picture and not to keep it.
 */
export function lookAtBase64<T>(ascii: Buffer, look: (bytes: Buffer) => T): T | null {
  if (!mayBeBase64(ascii)) return null;
  const length = decodedLength(ascii);
  const memory = memoryPool.take(length);
  try {
    return decodeInto(memory, ascii) ? look(memory.subarray(0, length)) : null;
  } finally {
    memoryPool.giveBack(memory);
  }
}

/** Whether {@link decodeBase64} would read the text. */
export function isBase64(ascii: Buffer): boolean {
  return lookAtBase64(ascii, () => true) ?? false;
}

function mayBeBase64(ascii: Buffer): boolean {
  return ascii.length % 4 === 0 && endsCleanly(ascii);
}

/** False when a character is none of the alphabet. */
function decodeInto(target: Buffer, ascii: Buffer): boolean {
  let written = 0;
  for (let start = 0; start < ascii.length; start += blockCharacters) {
    const block = ascii.subarray(start, start + blockCharacters);
    if (hasUrlSafeCharacter(block)) return false;
    const added = target.write(block.toString('latin1'), written, 'base64');
    // Node skips what is not base64, so a character out of place shows as a byte too few.
    if (added !== decodedLength(block)) return false;
    written += added;
  }
  // Padding at the end of a block in the middle shows here.
  return written === decodedLength(ascii);
}

/** How many bytes well-formed base64 text stands for, read from its length and padding alone. */
export function decodedLength(ascii: Buffer): number {
  return Math.floor((dataCharacters(ascii) * 3) / 4);
}

/** Characters before the padding. */
function dataCharacters(ascii: Buffer): number {
  if (ascii.at(-1) !== padding) return ascii.length;
  return ascii.length - (ascii.at(-2) === padding ? 2 : 1);
}

/** Node decodes `-` and `_` too, which are another alphabet. */
function hasUrlSafeCharacter(ascii: Buffer): boolean {
  return ascii.includes(0x2d) || ascii.includes(0x5f);
}

/** Whether the last group has the one spelling of its bytes: the unused bits are zero. */
function endsCleanly(ascii: Buffer): boolean {
  const group = ascii.toString('latin1', Math.max(0, ascii.length - 4));
  return Buffer.from(group, 'base64').toString('base64') === group;
}
