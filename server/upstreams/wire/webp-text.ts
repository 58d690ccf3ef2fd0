const fileHeaderBytes = 12;
const chunkHeaderBytes = 8;
const textChunks = ['EXIF', 'XMP '];
/** What the first chunk of an extended file says of the others: that there is EXIF, or XMP. */
const textFlags = 0x08 | 0x04;

/** The WebP without its texts; the same bytes where there are none, or where it is no WebP. */
export function withoutWebpText(bytes: Buffer): Buffer {
  const chunks = chunksOf(bytes);
  const kept = chunks.filter((chunk) => !textChunks.includes(typeOf(chunk)));
  if (kept.length === chunks.length) return bytes;
  const plain = Buffer.concat([bytes.subarray(0, fileHeaderBytes), ...kept]);
  plain.writeUInt32LE(plain.length - chunkHeaderBytes, 4);
  if (typeOf(plain.subarray(fileHeaderBytes)) === 'VP8X') {
    const flagsAt = fileHeaderBytes + chunkHeaderBytes;
    plain.writeUInt8(plain.readUInt8(flagsAt) & ~textFlags, flagsAt);
  }
  return plain;
}

/** With their headers and the byte that pads them; none where the chunks do not fill the file. */
function chunksOf(bytes: Buffer): readonly Buffer[] {
  const isWebp = typeOf(bytes) === 'RIFF' && typeOf(bytes.subarray(8)) === 'WEBP';
  if (!isWebp || bytes.length !== chunkHeaderBytes + bytes.readUInt32LE(4)) return [];
  const chunks: Buffer[] = [];
  for (let at = fileHeaderBytes; at < bytes.length; ) {
    if (at + chunkHeaderBytes > bytes.length) return [];
    const length = bytes.readUInt32LE(at + 4);
    const dataEnd = at + chunkHeaderBytes + length;
    if (dataEnd > bytes.length) return [];
    // Some writers leave the last pad byte out.
    const end = Math.min(dataEnd + (length % 2), bytes.length);
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

function typeOf(chunk: Buffer): string {
  return chunk.toString('latin1', 0, 4);
}
