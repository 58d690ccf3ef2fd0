import { type FoundPicture, isSaneSize, type PictureBytes } from './found-picture.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length, type and checksum around a chunk's data. */
const chunkFrameBytes = 12;
const headerDataBytes = 13;
/** Ten times what 20 MiB in the usual blocks of 8 KiB need; bounds the work for a hostile file. */
const chunksMax = 32_768;

const palette = 3;
/** Bit depths that the format allows for each colour type. */
const bitDepths = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [palette, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);
const alphaColourTypes = [4, 6];

/**
 * Finds the PNG that these bytes begin with: every chunk from IHDR to IEND is there, in a possible
 * order, and has the right checksum. The pixels themselves are not inflated. An animated PNG counts
 * as the still picture that every decoder shows of it. All bytes of what it finds were looked at.
 */
export function findPng(bytes: PictureBytes): FoundPicture | null {
  if (!bytes.slice(0, signature.length).equals(signature)) return null;
  const first = readChunk(bytes, signature.length);
  const header = first?.type === 'IHDR' ? readHeader(bytes, first) : null;
  if (!first || !header) return null;

  const seen = { palette: false, transparency: false, pixels: false };
  let at = first.end;
  for (let count = 1; count < chunksMax; count++) {
    const chunk = readChunk(bytes, at);
    if (!chunk) return null;
    at = chunk.end;
    switch (chunk.type) {
      case 'PLTE':
        seen.palette = true;
        break;
      case 'tRNS':
        seen.transparency ||= !seen.pixels;
        break;
      case 'IDAT':
        if (header.colourType === palette && !seen.palette) return null;
        seen.pixels ||= chunk.dataBytes > 0;
        break;
      case 'IEND': {
        if (!seen.pixels || chunk.dataBytes > 0) return null;
        const { width, height } = header;
        const hasAlpha = alphaColourTypes.includes(header.colourType) || seen.transparency;
        return { info: { format: 'png', width, height, hasAlpha }, end: at };
      }
      default:
        // A critical chunk that nobody knows means that nobody can show the picture.
        if (isCritical(chunk.type)) return null;
    }
  }
  return null;
}

interface Chunk {
  type: string;
  dataAt: number;
  dataBytes: number;
  end: number;
}

/** The chunk at `at`, or null when it is cut short or its checksum is wrong. */
function readChunk(bytes: PictureBytes, at: number): Chunk | null {
  if (at + chunkFrameBytes > bytes.length) return null;
  const frame = bytes.slice(at, at + 8);
  const dataBytes = frame.readUInt32BE(0);
  const end = at + chunkFrameBytes + dataBytes;
  if (end > bytes.length) return null;
  if (bytes.crc32(at + 4, end - 4) !== bytes.slice(end - 4, end).readUInt32BE(0)) return null;
  return { type: frame.toString('latin1', 4), dataAt: at + 8, dataBytes, end };
}

function readHeader(bytes: PictureBytes, { dataAt, dataBytes }: Chunk) {
  if (dataBytes !== headerDataBytes) return null;
  const data = bytes.slice(dataAt, dataAt + dataBytes);
  const header = {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    bitDepth: data.readUInt8(8),
    colourType: data.readUInt8(9),
  };
  const [compression, filter, interlace] = data.subarray(10);
  const knownMethods = compression === 0 && filter === 0 && (interlace === 0 || interlace === 1);
  const knownColours = bitDepths.get(header.colourType)?.includes(header.bitDepth) ?? false;
  return knownMethods && knownColours && isSaneSize(header) ? header : null;
}

/** The case of the first letter says whether a decoder must understand the chunk. */
function isCritical(type: string): boolean {
  return !/^[a-z]/.test(type);
}
