/** Pictures that no compression makes smaller, of a size to the byte. */
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

export interface NoisePicture {
  png: Buffer;
  /** As ASCII. */
  base64: Buffer;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const chunkFrameBytes = 12;
const headerBytes = 13;
const bytesPerPixel = 3;
/** What deflate adds to each block that it only stores (8 KiB and more of them), and to the whole. */
const storedBlockBytes = 8_192;
const storedFrameBytes = 5;
const zlibFrameBytes = 6;

/** A valid PNG of exactly `bytes` bytes. */
export function noisePicture(bytes: number): NoisePicture {
  const png = noisePng(bytes);
  return { png, base64: Buffer.from(png.toString('base64'), 'latin1') };
}

/** A valid PNG whose base64 has exactly `characters` characters. */
export function noisePictureOfBase64(characters: number): NoisePicture {
  return noisePicture(Math.floor(characters / 4) * 3);
}

function noisePng(bytes: number): Buffer {
  const frames = signature.length + 4 * chunkFrameBytes + headerBytes + zlibFrameBytes;
  const blocks = Math.ceil(bytes / storedBlockBytes);
  const pixelBytes = bytes - frames - blocks * storedFrameBytes;
  const width = Math.floor(Math.sqrt(pixelBytes / bytesPerPixel));
  const rowBytes = 1 + width * bytesPerPixel;
  const height = Math.floor(pixelBytes / rowBytes);
  const rows = randomBytes(height * rowBytes);
  // The filter of each row: none.
  for (let row = 0; row < height; row++) rows[row * rowBytes] = 0;
  const pixels = chunk('IDAT', deflateSync(rows, { level: 0 }));
  const start = [signature, chunk('IHDR', header(width, height)), pixels];
  const end = chunk('IEND', Buffer.alloc(0));
  const used = [...start, end].reduce((sum, { length }) => sum + length, 0);
  // A private chunk, which decoders pass over, makes up what whole rows leave.
  const filler = chunk('noIs', randomBytes(bytes - used - chunkFrameBytes));
  return Buffer.concat([...start, filler, end]);
}

function header(width: number, height: number): Buffer {
  const data = Buffer.alloc(headerBytes);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  // 8 bits for each of red, green and blue.
  data.writeUInt8(8, 8);
  data.writeUInt8(2, 9);
  return data;
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(chunkFrameBytes + data.length);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}
