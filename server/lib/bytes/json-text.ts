/** Work on the inside of JSON strings as bytes, at speeds fit for pictures. */

const backslash = 0x5c;
const slash = 0x2f;
const letterN = 0x6e;
const letterR = 0x72;
const letterU = 0x75;
const zero = 0x30;

/**
 * Whether ASCII text has a character below the space, which a JSON string may not contain as it
 * stands. Looks at four bytes at a time: with no high bit set, subtracting a space from each sets
 * a high bit exactly if some byte is smaller.
 */
export function hasControlCharacter(ascii: Buffer): boolean {
  const head = (4 - (ascii.byteOffset % 4)) % 4;
  const words = Math.floor((ascii.length - head) / 4);
  if (words <= 0) return hasSmallByte(ascii);
  const view = new Uint32Array(ascii.buffer, ascii.byteOffset + head, words);
  let differences = 0;
  // By index: iterating a typed array takes ten times as long.
  for (let i = 0; i < words; i++) differences |= (view[i] ?? 0) - 0x20202020;
  if ((differences & 0x80808080) !== 0) return true;
  return hasSmallByte(ascii.subarray(0, head)) || hasSmallByte(ascii.subarray(head + words * 4));
}

function hasSmallByte(bytes: Buffer): boolean {
  return bytes.some((byte) => byte < 0x20);
}

/** Escapes that stand closer together are looked for byte by byte: a native search costs as much as that many bytes. */
const nearBytes = 64;

/**
 * Resolves the escapes of ASCII text; null when one stands for a character outside ASCII or is
 * none. Base64 is written with escapes by some libraries: `\/` by PHP's, `\u002B` by .NET's,
 * `\u003d` by Gson.
 * @param allowLineBreaks whether `\r` and `\n` are such escapes too
 */
export function unescapeAscii(written: Buffer, allowLineBreaks: boolean): Buffer | null {
  const plain = Buffer.allocUnsafe(written.length);
  let length = 0;
  for (let at = 0; at < written.length; ) {
    const near = Math.min(at + nearBytes, written.length);
    for (; at < near && written[at] !== backslash; at++) plain[length++] = written[at] ?? 0;
    if (at === near) {
      const found = written.indexOf(backslash, at);
      const next = found === -1 ? written.length : found;
      length += written.copy(plain, length, at, next);
      at = next;
      if (found === -1) break;
    }
    const escape = readEscape(written, at + 1, allowLineBreaks);
    if (!escape) return null;
    plain[length++] = escape.byte;
    at += 1 + escape.length;
  }
  return plain.subarray(0, length);
}

/** The escape whose backslash stands before `at`. */
function readEscape(
  written: Buffer,
  at: number,
  allowLineBreaks: boolean,
): { byte: number; length: number } | null {
  const letter = written[at];
  if (letter === slash) return { byte: slash, length: 1 };
  if (letter === letterR || letter === letterN) {
    return allowLineBreaks ? { byte: letter === letterR ? 0x0d : 0x0a, length: 1 } : null;
  }
  if (letter !== letterU || written[at + 1] !== zero || written[at + 2] !== zero) return null;
  const byte = hexDigit(written[at + 3]) * 16 + hexDigit(written[at + 4]);
  // Not a number where one of them is no digit.
  return byte < 0x80 ? { byte, length: 5 } : null;
}

function hexDigit(letter = 0): number {
  if (letter >= 0x30 && letter <= 0x39) return letter - 0x30;
  const lower = letter | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}
