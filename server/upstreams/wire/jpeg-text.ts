const startOfImage = [0xff, 0xd8];
const startOfScan = 0xda;
/** APP1 holds EXIF and XMP, APP13 is IPTC's, and then there are comments. */
const textMarkers = [0xe1, 0xed, 0xfe];
const markerBytes = 2;
const lengthBytes = 2;

/** The JPEG without its texts; the same bytes where there are none, or where it is no JPEG. */
export function withoutJpegText(bytes: Buffer): Buffer {
  if (!startOfImage.every((byte, at) => bytes[at] === byte)) return bytes;
  const kept: Buffer[] = [];
  let keptFrom = 0;
  let at = startOfImage.length;
  // What follows the start of a scan is the picture itself.
  while (bytes[at] === 0xff && bytes[at + 1] !== startOfScan) {
    const end = segmentEnd(bytes, at);
    // Whether it is whole, others judge.
    if (end === null) return bytes;
    if (textMarkers.includes(bytes[at + 1] ?? 0)) {
      kept.push(bytes.subarray(keptFrom, at));
      keptFrom = end;
    }
    at = end;
  }
  return keptFrom === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(keptFrom)]);
}

function segmentEnd(bytes: Buffer, at: number): number | null {
  // Any number of fill bytes may stand before a marker.
  if (bytes[at + 1] === 0xff) return at + 1;
  if (at + markerBytes + lengthBytes > bytes.length) return null;
  const length = bytes.readUInt16BE(at + markerBytes);
  const end = at + markerBytes + length;
  return length >= lengthBytes && end <= bytes.length ? end : null;
}
