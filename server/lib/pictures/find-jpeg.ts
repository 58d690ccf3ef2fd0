import { type FoundPicture, isSaneSize } from './found-picture.ts';

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Markers that stand alone, without a length: temporary, and restarts. */
const temporary = 0x01;
const firstRestart = 0xd0;
const lastRestart = 0xd7;
/** Baseline, extended and progressive with Huffman codes: the frames that every decoder reads. */
const frameMarkers = [0xc0, 0xc1, 0xc2];
/** The other kinds of frame: lossless, hierarchical, arithmetic. */
const unreadableFrameMarkers = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];

/**
 * Finds the JPEG that these bytes begin with, by walking its segments (so that the thumbnail in an
 * EXIF segment is not taken for the picture): one frame header, at least one scan with data, and
 * the end marker. The entropy-coded data itself is not decoded.
 */
export function findJpeg(bytes: Buffer): FoundPicture | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== startOfImage) return null;
  let size: { width: number; height: number } | null = null;
  let scanSeen = false;
  let at = 2;
  for (;;) {
    if (bytes[at] !== 0xff) return null;
    while (bytes[at] === 0xff) at++; // Any number of fill bytes may stand before a marker.
    const marker = bytes[at++];
    if (marker === undefined || marker === 0 || marker === startOfImage) return null;
    if (isStandalone(marker)) continue;
    if (marker === endOfImage) {
      if (!size || !scanSeen) return null;
      return { info: { format: 'jpeg', ...size, hasAlpha: false }, end: at };
    }
    const segmentEnd = endOfSegment(bytes, at);
    if (segmentEnd === null || unreadableFrameMarkers.includes(marker)) return null;
    if (frameMarkers.includes(marker)) {
      if (size) return null;
      size = readFrameSize(bytes.subarray(at, segmentEnd));
      if (!size) return null;
    }
    at = segmentEnd;
    if (marker === startOfScan) {
      if (!size) return null;
      at = endOfScan(bytes, segmentEnd);
      scanSeen ||= at > segmentEnd;
    }
  }
}

function isStandalone(marker: number): boolean {
  return marker === temporary || (marker >= firstRestart && marker <= lastRestart);
}

/** Where the segment whose length stands at `at` ends; null when that is outside the bytes. */
function endOfSegment(bytes: Buffer, at: number): number | null {
  if (at + 2 > bytes.length) return null;
  const length = bytes.readUInt16BE(at);
  const end = at + length;
  return length >= 2 && end <= bytes.length ? end : null;
}

/** A frame segment: length, precision, height, width, number of components, three bytes for each. */
function readFrameSize(segment: Buffer): { width: number; height: number } | null {
  if (segment.length < 11) return null;
  const components = segment.readUInt8(7);
  const size = { height: segment.readUInt16BE(3), width: segment.readUInt16BE(5) };
  const complete = segment.length === 8 + 3 * components;
  return complete && [1, 3, 4].includes(components) && isSaneSize(size) ? size : null;
}

/** Entropy-coded data runs to the next 0xff that is neither stuffed (followed by 0) nor a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= firstRestart && next <= lastRestart)) return at;
    at++;
  }
  return bytes.length;
}
