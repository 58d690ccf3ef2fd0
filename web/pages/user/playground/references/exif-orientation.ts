/** How a JPEG or PNG wants to be turned, from 1 (as it is) to 8; 1 for whatever says nothing. */
export function exifOrientation(bytes: Uint8Array): number {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const exif = data.getUint32(0) === pngMark ? findInPng(data) : findInJpeg(data);
    return exif === null ? 1 : readOrientation(data, exif);
  } catch (error) {
    // Cut off or broken: whoever decodes it will say so.
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

const pngMark = 0x89504e47;
const pngSignatureBytes = 8;
/** Length, type and checksum around a chunk's data. */
const chunkFrameBytes = 12;
const exifChunk = 0x65584966;
const endChunk = 0x49454e44;

/** Where its TIFF header begins. */
function findInPng(data: DataView): number | null {
  for (let at = pngSignatureBytes; ; at += chunkFrameBytes + data.getUint32(at)) {
    const type = data.getUint32(at + 4);
    if (type === exifChunk) return at + 8;
    if (type === endChunk) return null;
  }
}

const startOfImage = 0xffd8;
const app1 = 0xffe1;
const startOfScan = 0xffda;
const exifMark = 0x45786966;

/** The same. */
function findInJpeg(data: DataView): number | null {
  if (data.getUint16(0) !== startOfImage) return null;
  for (let at = 2; ; at += 2 + data.getUint16(at + 2)) {
    const marker = data.getUint16(at);
    if (marker === app1 && data.getUint32(at + 4) === exifMark) return at + 10;
    if (marker === startOfScan || marker < 0xff00) return null;
  }
}

const littleEndian = 0x4949;
const orientationTag = 0x0112;
const entryBytes = 12;

function readOrientation(data: DataView, tiff: number): number {
  const isLittle = data.getUint16(tiff) === littleEndian;
  const directory = tiff + data.getUint32(tiff + 4, isLittle);
  const count = data.getUint16(directory, isLittle);
  for (let entry = 0; entry < count; entry++) {
    const at = directory + 2 + entry * entryBytes;
    if (data.getUint16(at, isLittle) !== orientationTag) continue;
    const value = data.getUint16(at + 8, isLittle);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
