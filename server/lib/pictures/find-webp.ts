import { type FoundPicture, isSaneSize } from './found-picture.ts';

const fileHeaderBytes = 12;
const chunkHeaderBytes = 8;

const extendedDataBytes = 10;
const alphaFlag = 0x10;
const animationFlag = 0x02;

interface Canvas {
  width: number;
  height: number;
  hasAlpha: boolean;
}

/**
 * Finds the WebP that these bytes begin with: lossy, lossless or extended, its chunks filling the
 * declared length and exactly one bitstream among them, of the declared size. An animation is not
 * a picture here: unlike an animated PNG it has no still form that all decoders agree on.
 */
export function findWebp(bytes: Buffer): FoundPicture | null {
  if (bytes.length < fileHeaderBytes + chunkHeaderBytes) return null;
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null;
  const end = chunkHeaderBytes + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;

  let declared: Canvas | null = null;
  let bitstream: Canvas | null = null;
  let at = fileHeaderBytes;
  while (at < end) {
    const chunk = readChunk(bytes, at, end);
    if (!chunk) return null;
    const isFirst = at === fileHeaderBytes;
    at = chunk.end;
    if (chunk.type === 'VP8X') {
      declared = isFirst ? readExtended(chunk.data) : null;
      if (!declared) return null;
    } else if (chunk.type === 'VP8 ' || chunk.type === 'VP8L') {
      if (bitstream || !(isFirst || declared)) return null;
      bitstream = chunk.type === 'VP8 ' ? readLossy(chunk.data) : readLossless(chunk.data);
      if (!bitstream) return null;
    } else if (isFirst) {
      return null;
    }
  }
  const canvas = declared ?? bitstream;
  if (!canvas || !bitstream || !isSaneSize(canvas)) return null;
  if (canvas.width !== bitstream.width || canvas.height !== bitstream.height) return null;
  return { info: { format: 'webp', ...canvas }, end };
}

/** The chunk at `at`; its end includes the byte that pads it to an even length. */
function readChunk(bytes: Buffer, at: number, fileEnd: number) {
  if (at + chunkHeaderBytes > fileEnd) return null;
  const start = at + chunkHeaderBytes;
  const dataEnd = start + bytes.readUInt32LE(at + 4);
  if (dataEnd > fileEnd) return null;
  return {
    type: bytes.toString('latin1', at, at + 4),
    data: bytes.subarray(start, dataEnd),
    // Some writers leave the last pad byte out.
    end: Math.min(dataEnd + (dataEnd % 2), fileEnd),
  };
}

function readExtended(data: Buffer): Canvas | null {
  if (data.length < extendedDataBytes) return null;
  const flags = data.readUInt8(0);
  if (flags & animationFlag) return null;
  return {
    width: data.readUIntLE(4, 3) + 1,
    height: data.readUIntLE(7, 3) + 1,
    hasAlpha: (flags & alphaFlag) !== 0,
  };
}

/** A VP8 key frame: a three-byte tag, the start code, then 14 bits each for width and height. */
function readLossy(data: Buffer): Canvas | null {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return null;
  const tag = data.readUIntLE(0, 3);
  const isKeyFrame = (tag & 1) === 0;
  const firstPartitionBytes = tag >> 5;
  if (!isKeyFrame || firstPartitionBytes >= data.length) return null;
  return {
    width: data.readUInt16LE(6) & 0x3fff,
    height: data.readUInt16LE(8) & 0x3fff,
    hasAlpha: false,
  };
}

/** A VP8L header: a signature byte, then 14 + 14 bits of size, the alpha bit and 3 bits of version. */
function readLossless(data: Buffer): Canvas | null {
  if (data.length < 5 || data.readUInt8(0) !== 0x2f) return null;
  const bits = data.readUInt32LE(1);
  const version = bits >>> 29;
  if (version !== 0) return null;
  return {
    width: (bits & 0x3fff) + 1,
    height: ((bits >>> 14) & 0x3fff) + 1,
    hasAlpha: ((bits >>> 28) & 1) === 1,
  };
}
