import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { hasControlCharacter, unescapeAscii } from './json-text.ts';

/** A long string of a JSON document, kept as bytes: pictures in base64 and data URLs are these. */
export class CutString {
  /** The string's characters, all of them ASCII. */
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export interface CutLimits {
  /** Levels of arrays and objects inside each other. */
  depthMax: number;
  /** Bytes that are left when the long strings are cut out, and so become JavaScript values. */
  restBytesMax: number;
  /** Longer strings are cut out. Longer than any text field may be, so that only pictures are. */
  stringBytesMax?: number;
  /**
   * Leaves characters that JSON forbids in a string to whoever reads a long one, who makes sure that
   * it is base64, which has none of them but line breaks. Looking for them costs as much as all the
   * rest. Line breaks may be written as escapes too, where there is no space: words have some.
   */
  longStringsAreChecked?: boolean;
}

const stringBytesMaxDefault = 32 * 1024;

export type CutJson =
  | { kind: 'value'; value: unknown }
  | { kind: 'broken'; reason: 'not_utf8' | 'not_json' | 'too_deep' | 'too_long' };

/** Nobody who writes a document knows it, so nothing in one looks like the place of a cut. */
const marker = randomBytes(16).toString('hex');
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Of a long string, looked at in one go: more would not stay in the processor's cache. */
const pieceBytes = 128 * 1024;
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const space = 0x20;

/**
 * Parses JSON in which long strings are pictures: each becomes a {@link CutString}, a view of
 * `bytes` that never was a JavaScript string; the rest goes through JSON.parse. What JSON.parse
 * refuses is refused here too. Only values are cut, not member names; a long string stays ordinary
 * text if it has a character outside ASCII or an escape that base64 has no use for.
 *
 * The scan jumps from quote to quote; what it costs per picture is a few native searches.
 */
export function parseCutJson(bytes: Buffer, limits: CutLimits): CutJson {
  const { depthMax, restBytesMax, stringBytesMax = stringBytesMaxDefault } = limits;
  const { longStringsAreChecked = false } = limits;
  const cuts: CutString[] = [];
  const rest: Buffer[] = [];
  let restBytes = 0;
  let restStart = 0;
  let depth = 0;
  const keep = (piece: Buffer) => {
    rest.push(piece);
    restBytes += piece.length;
    return restBytes <= restBytesMax;
  };

  for (let at = 0; at < bytes.length; ) {
    const open = indexOrEnd(bytes, quote, at);
    if (restBytes + open - restStart > restBytesMax) return { kind: 'broken', reason: 'too_long' };
    for (; at < open; at++) {
      depth += depthChange(bytes[at]);
      if (depth > depthMax) return { kind: 'broken', reason: 'too_deep' };
    }
    if (open === bytes.length) break;
    const written = readString(bytes, open + 1, { shortMax: stringBytesMax, restBytesMax });
    if (typeof written === 'string') return { kind: 'broken', reason: written };
    at = written.end + 1;
    if (written.end - open - 1 <= stringBytesMax || isMemberName(bytes, at)) continue;
    const cut = cutString(bytes.subarray(open + 1, written.end), written, longStringsAreChecked);
    if (!cut) continue;
    const placeholder = Buffer.from(`"${marker}${cuts.length}"`);
    if (!keep(bytes.subarray(restStart, open)) || !keep(placeholder)) {
      return { kind: 'broken', reason: 'too_long' };
    }
    cuts.push(cut);
    restStart = at;
  }
  if (!keep(bytes.subarray(restStart))) return { kind: 'broken', reason: 'too_long' };
  const parsed = parseStrictly(rest);
  if (parsed.kind === 'value' && cuts.length > 0) {
    parsed.value = withCuts(parsed.value, (text) =>
      text.startsWith(marker) ? cuts[Number(text.slice(marker.length))] : undefined,
    );
  }
  return parsed;
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found === -1 ? bytes.length : found;
}

function depthChange(byte: number | undefined): -1 | 0 | 1 {
  switch (byte) {
    case 0x5b: // [
    case 0x7b: // {
      return 1;
    case 0x5d: // ]
    case 0x7d: // }
      return -1;
    default:
      return 0;
  }
}

interface WrittenString {
  /** Where its closing quote is. */
  end: number;
  /** Both of what was looked at: nothing of a short one, and nothing behind a quote inside. */
  isAllAscii: boolean;
  hasBackslash: boolean;
}

interface StringLimits {
  /** Bytes of strings that are not looked through. */
  shortMax: number;
  /** Of one that cannot be cut. */
  restBytesMax: number;
}

/**
 * The string that begins at `start`, or why there is none. Three things are looked for in it, piece by
 * piece, so that the second and third look find each still in the processor's cache.
 */
function readString(
  bytes: Buffer,
  start: number,
  { shortMax, restBytesMax }: StringLimits,
): WrittenString | 'not_json' | 'too_long' {
  const written = { isAllAscii: true, hasBackslash: false };
  for (let at = start; at < bytes.length; at += pieceBytes) {
    const rest = bytes.subarray(at, at + pieceBytes);
    const quoteAt = rest.indexOf(quote);
    // One with a quote in it is no base64, whatever comes behind that.
    const end =
      quoteAt === -1 ? undefined : closingQuote(bytes, at + quoteAt, start + restBytesMax);
    if (typeof end === 'string') return end;
    if (end !== undefined && end - start <= shortMax) return { ...written, end };
    const piece = end === undefined ? rest : rest.subarray(0, quoteAt);
    written.isAllAscii &&= isAscii(piece);
    written.hasBackslash ||= piece.includes(backslash);
    if (end !== undefined) return { ...written, end };
  }
  return 'not_json';
}

/**
 * The first quote, from the one at `first` on, that no odd run of backslashes hides.
 * @param last where a string with a hidden one ends at the latest
 */
function closingQuote(
  bytes: Buffer,
  first: number,
  last: number,
): number | 'not_json' | 'too_long' {
  for (let at = first; at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let before = at;
    while (bytes[before - 1] === backslash) before--;
    if ((at - before) % 2 === 0) return at;
    if (at > last) return 'too_long';
  }
  return 'not_json';
}

/** Whether the next character that is not white space is a colon. */
function isMemberName(bytes: Buffer, from: number): boolean {
  let at = from;
  while (isWhiteSpace(bytes[at])) at++;
  return bytes[at] === colon;
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The string between two quotes as bytes, or null when it has to go through JSON.parse. */
function cutString(
  written: Buffer,
  { isAllAscii, hasBackslash }: WrittenString,
  isCheckedLater: boolean,
): CutString | null {
  if (!isAllAscii) return null;
  if (!isCheckedLater && hasControlCharacter(written)) return null;
  if (!hasBackslash) return new CutString(written);
  const bytes = unescapeAscii(written, isCheckedLater && !written.includes(space));
  return bytes && new CutString(bytes);
}

function parseStrictly(pieces: readonly Buffer[]): CutJson {
  let text: string;
  try {
    text = decoder.decode(Buffer.concat(pieces));
  } catch {
    return { kind: 'broken', reason: 'not_utf8' };
  }
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch {
    return { kind: 'broken', reason: 'not_json' };
  }
}

/** Puts the cut strings where their placeholders are. The depth is bounded, so this may recurse. */
function withCuts(value: unknown, cutFor: (text: string) => CutString | undefined): unknown {
  if (typeof value === 'string') return cutFor(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, member] of Object.entries(value)) {
    const replaced = withCuts(member, cutFor);
    // Defining, unlike assigning, is harmless for a member called __proto__.
    if (replaced !== member) Object.defineProperty(value, name, { value: replaced });
  }
  return value;
}
