const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const textChunks = ['tEXt', 'zTXt', 'iTXt', 'eXIf'];
/** Length, type and checksum around a chunk's data. */
const chunkFrameBytes = 12;

/** The PNG without its texts; the same bytes where there are none, or where it is no whole PNG. */
export function withoutPngText(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, signature.length).equals(signature)) return bytes;
  const kept: Buffer[] = [];
  let keptFrom = 0;
  let at = signature.length;
  while (at < bytes.length) {
    const end = chunkEnd(bytes, at);
    // Whether it is cut short, or has something behind it, others judge.
    if (end === null) return bytes;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (textChunks.includes(type)) {
      kept.push(bytes.subarray(keptFrom, at));
      keptFrom = end;
    }
    at = end;
  }
  return keptFrom === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(keptFrom)]);
}

function chunkEnd(bytes: Buffer, at: number): number | null {
  if (at + chunkFrameBytes > bytes.length) return null;
  const end = at + chunkFrameBytes + bytes.readUInt32BE(at);
  return end <= bytes.length ? end : null;
}
