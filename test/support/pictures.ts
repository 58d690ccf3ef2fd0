import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ImageFormat } from '../../shared/image-options.ts';

export interface PictureOptions {
  width?: number;
  height?: number;
  alpha?: boolean;
}

/** A small real picture, as an encoder in use writes it. */
export function makePicture(format: ImageFormat, options: PictureOptions = {}): Promise<Buffer> {
  const { width = 8, height = 6, alpha = false } = options;
  const background = { r: 90, g: 120, b: 40, alpha: alpha ? 0.5 : 1 };
  const channels = alpha ? 4 : 3;
  return sharp({ create: { width, height, channels, background } }).toFormat(format).toBuffer();
}

/** A PNG written by hand, so that a test can choose each of its parts. */
export function writePng(chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(checked), 4);
  return Buffer.concat([frame.subarray(0, 4), checked, frame.subarray(4)]);
}

export interface PngHeader {
  width?: number;
  height?: number;
  bitDepth?: number;
  colourType?: number;
}

export function pngHeader(header: PngHeader = {}): Buffer {
  const { width = 1, height = 1, bitDepth = 8, colourType = 2 } = header;
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.writeUInt8(bitDepth, 8);
  data.writeUInt8(colourType, 9);
  return pngChunk('IHDR', data);
}

/** The one row of one RGB pixel that belongs to {@link pngHeader}'s defaults. */
export function pngPixels(): Buffer {
  return pngChunk('IDAT', deflateSync(Buffer.from([0, 1, 2, 3])));
}

/**
 * A valid 1 × 1 PNG of exactly `length` bytes, filled up with a chunk of a private type. The
 * filling rises and falls, so that pictures of different lengths differ all over.
 */
export function pngOfLength(length: number): Buffer {
  const frameBytes = 12;
  const bare = writePng([pngHeader(), pngPixels(), pngChunk('IEND')]);
  const filling = Buffer.alloc(length - bare.length - frameBytes, 'filling');
  return writePng([pngHeader(), pngChunk('fiLl', filling), pngPixels(), pngChunk('IEND')]);
}

/** A picture whose header claims any size, in the few bytes a decompression bomb needs. */
export function hugePng(width: number, height: number): Buffer {
  return writePng([pngHeader({ width, height }), pngPixels(), pngChunk('IEND')]);
}

/** A whole lossless WebP in about 26 bytes that claims any size up to 16,384 × 16,384. */
export function hugeWebp(width: number, height: number): Buffer {
  const bitstream = Buffer.alloc(6);
  bitstream.writeUInt8(0x2f, 0);
  bitstream.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return writeWebp([webpChunk('VP8L', bitstream)]);
}

export function webpChunk(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}

export function writeWebp(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const header = Buffer.alloc(8);
  header.write('RIFF', 'latin1');
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
}
