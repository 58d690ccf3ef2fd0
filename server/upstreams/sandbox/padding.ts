import { crc32 } from 'node:zlib';
import type { ImageInfo } from '../../lib/pictures/encoded-image.ts';

type FileInfo = Omit<ImageInfo, 'hasAlpha'>;

/**
 * The same picture in a file of about `bytes` bytes, filled up with parts that every reader of the
 * format has to skip. A file that is already larger stays as it is.
 */
export function padPicture(file: Buffer, info: FileInfo, bytes: number): Buffer {
  const missing = bytes - file.length;
  if (missing <= 0) return file;
  switch (info.format) {
    case 'png':
      return padPng(file, missing);
    case 'jpeg':
      return padJpeg(file, missing);
    case 'webp':
      return padWebp(file, missing, info);
  }
}

const pngSignatureAndHeaderBytes = 8 + 25;

/** A chunk of our own behind the header: ancillary, private, safe to copy. */
function padPng(file: Buffer, missing: number): Buffer {
  const body = Buffer.concat([Buffer.from('tiNt'), Buffer.alloc(Math.max(0, missing - 12))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return insert(file, pngSignatureAndHeaderBytes, [length, body, checksum]);
}

const jpegSegmentBytesMax = 65_535;

/** Comment segments behind the JFIF header, which has to come first. */
function padJpeg(file: Buffer, missing: number): Buffer {
  const headerEnd = 4 + file.readUInt16BE(4);
  const segments: Buffer[] = [];
  for (let left = missing; left > 0; ) {
    const bytes = Math.max(4, Math.min(jpegSegmentBytesMax + 2, left));
    const segment = Buffer.alloc(bytes, ' ');
    segment.writeUInt16BE(0xfffe, 0);
    segment.writeUInt16BE(bytes - 2, 2);
    segments.push(segment);
    left -= bytes;
  }
  return insert(file, headerEnd, segments);
}

/** An unknown chunk at the end, which only the extended form of a WebP file may have. */
function padWebp(file: Buffer, missing: number, info: FileInfo): Buffer {
  const isExtended = file.toString('latin1', 12, 16) === 'VP8X';
  const header = isExtended ? Buffer.alloc(0) : webpExtendedHeader(info);
  const bodyBytes = Math.max(0, missing - header.length - 8);
  const chunk = Buffer.alloc(8 + bodyBytes + (bodyBytes % 2));
  chunk.write('TINT', 0, 'latin1');
  chunk.writeUInt32LE(bodyBytes, 4);
  const padded = Buffer.concat([file.subarray(0, 12), header, file.subarray(12), chunk]);
  padded.writeUInt32LE(padded.length - 8, 4);
  return padded;
}

/** Without the alpha flag: a lossy file that has alpha is of the extended form already. */
function webpExtendedHeader({ width, height }: FileInfo): Buffer {
  const header = Buffer.alloc(18);
  header.write('VP8X', 0, 'latin1');
  header.writeUInt32LE(10, 4);
  header.writeUIntLE(width - 1, 12, 3);
  header.writeUIntLE(height - 1, 15, 3);
  return header;
}

function insert(file: Buffer, at: number, parts: readonly Buffer[]): Buffer {
  return Buffer.concat([file.subarray(0, at), ...parts, file.subarray(at)]);
}
