/**
 * Base64 for pictures: text held as ASCII bytes, converted in blocks, so that no picture ever becomes one big
 * JavaScript string.
 */

import { memoryPool } from '../bytes/memory-pool.ts';
import { canDecodeGroups, charactersMax, decodeGroups, groupCharacters } from './base64-wasm.ts';

/** Whole groups of three bytes and four characters; the fastest size measured. */
export const base64Block = { bytes: (charactersMax / 4) * 3, characters: charactersMax };

const padding = 0x3d;

/** Base64 text as ASCII bytes, with padding. */
export function encodeBase64(bytes: Buffer): Buffer {
  const ascii = Buffer.allocUnsafe(Math.ceil(bytes.length / 3) * 4);
  let written = 0;
  for (let start = 0; start < bytes.length; start += base64Block.bytes) {
    const end = Math.min(start + base64Block.bytes, bytes.length);
    const block = bytes.toString('base64', start, end);
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
  return decodeTo(bytes, ascii) ? bytes : null;
}

/** The same in memory of the pool, to which whoever is the last to need it gives it back. */
export function decodeBase64ToPool(ascii: Buffer): Buffer | null {
  if (!mayBeBase64(ascii)) return null;
  const length = decodedLength(ascii);
  const bytes = memoryPool.take(length).subarray(0, length);
  if (decodeTo(bytes, ascii)) return bytes;
  memoryPool.giveBack(bytes);
  return null;
}

/**
 * What `look` says of the bytes, which are gone when it returns; null for what {@link decodeBase64}
 * refuses. For those who want to know something of a picture and not to keep it.
 */
export function lookAtBase64<T>(ascii: Buffer, look: (bytes: Buffer) => T): T | null {
  const bytes = decodeBase64ToPool(ascii);
  if (!bytes) return null;
  try {
    return look(bytes);
  } finally {
    memoryPool.giveBack(bytes);
  }
}

/** Of a line, in base64 that has lines: MIME's limit. */
const lineCharactersMax = 76;

/**
 * The text without line breaks, which MIME's encoders put into it and others behind it. Only its beginning and its end are
 * looked at first: where neither a line of MIME's length nor the text ends in one, the same bytes are returned.
 */
export function withoutLineBreaks(ascii: Buffer): Buffer {
  const hasLines = ascii.subarray(0, lineCharactersMax + 1).some(isLineBreak);
  return hasLines || isLineBreak(ascii.at(-1)) ? removeLineBreaks(ascii) : ascii;
}

/** The text of lines of any length in one; null where it is in one already. */
export function joinLines(ascii: Buffer): Buffer | null {
  return ascii.includes('\n') || ascii.includes('\r') ? removeLineBreaks(ascii) : null;
}

function removeLineBreaks(ascii: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(ascii.length);
  let length = 0;
  // By index: iterating bytes takes ten times as long.
  for (let at = 0; at < ascii.length; at++) {
    const byte = ascii[at] ?? 0;
    if (!isLineBreak(byte)) kept[length++] = byte;
  }
  return kept.subarray(0, length);
}

function isLineBreak(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

/** Whether {@link decodeBase64} would read the text. */
export function isBase64(ascii: Buffer): boolean {
  return mayBeBase64(ascii) && decodeTo(Buffer.allocUnsafe(base64Block.bytes), ascii, () => 0);
}

/** Whether the text is as long, and ends, as base64 does; what else is wrong shows when it is decoded. */
export function mayBeBase64(ascii: Buffer): boolean {
  return ascii.length % 4 === 0 && endsCleanly(ascii);
}

/**
 * Decodes block by block, each to the place that `placeOf` says when so many bytes were decoded before it.
 * False when a character is none of the alphabet.
 */
function decodeTo(
  target: Buffer,
  ascii: Buffer,
  placeOf: (decoded: number) => number = (decoded) => decoded,
): boolean {
  let decoded = 0;
  for (let start = 0; start < ascii.length; start += base64Block.characters) {
    const block = ascii.subarray(start, start + base64Block.characters);
    const added = decodeBlock(target, placeOf(decoded), block);
    if (added === null) return false;
    decoded += added;
  }
  // Padding at the end of a block in the middle shows here.
  return decoded === decodedLength(ascii);
}

/**
 * Decodes the characters of one block, to `at` in the target: how many bytes they are, or null when one of
 * them is none of the alphabet.
 */
export function decodeBlock(target: Buffer, at: number, block: Buffer): number | null {
  const groups = block.subarray(0, charactersOfGroups(block));
  if (groups.length > 0 && !decodeGroups(target, at, groups)) return null;
  const bytes = (groups.length * 3) / 4;
  const added = decodeByNode(target, at + bytes, block.subarray(groups.length));
  return added === null ? null : bytes + added;
}

/** All that make whole groups, without the last if it is padded. */
function charactersOfGroups(block: Buffer): number {
  if (!canDecodeGroups) return 0;
  const unpadded = dataCharacters(block);
  return unpadded - (unpadded % groupCharacters);
}

function decodeByNode(target: Buffer, at: number, block: Buffer): number | null {
  if (hasUrlSafeCharacter(block)) return null;
  const added = target.write(block.toString('latin1'), at, 'base64');
  // Node skips what is not base64, so a character out of place shows as a byte too few.
  return added === decodedLength(block) ? added : null;
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
