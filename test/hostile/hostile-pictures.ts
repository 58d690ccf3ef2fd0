/** Files that are no pictures, or that cost more to look at than they seem to. */
import { deflateSync } from 'node:zlib';
import { must } from '../../server/lib/assert.ts';
import {
  hugePng,
  hugeWebp,
  makePicture,
  pngChunk,
  pngHeader,
  pngPixels,
  webpChunk,
  writePng,
  writeWebp,
} from '../support/pictures.ts';

export interface HostilePicture {
  name: string;
  /** Null where either is right, as long as it costs little and nothing of it is repeated. */
  isRefused: boolean | null;
  make: () => Buffer | Promise<Buffer>;
}

const end = pngChunk('IEND');
const markup = Buffer.from('<html><script>alert(1)</script><?php system("id") ?></html>');
const inflatedBytes = 100 * 1024 ** 2;

/** Of something that inflates to 100 MiB, in some hundred kilobytes. */
let bomb: Buffer | null = null;

function inflating(): Buffer {
  bomb ??= deflateSync(Buffer.alloc(inflatedBytes), { level: 9 });
  return bomb;
}

export const hostilePictures: readonly HostilePicture[] = [
  // Larger than anything that is decoded.
  refused('a WebP of 16383 × 16383 in a few bytes', () => hugeWebp(16_383, 16_383)),
  refused('a WebP of 16384 × 16384 in a few bytes', () => hugeWebp(16_384, 16_384)),
  refused('a PNG of 60000 × 60000', () => hugePng(60_000, 60_000)),
  refused('a PNG of 2³¹ − 1 pixels in a row', () => hugePng(0x7fff_ffff, 1)),
  refused('a PNG with a negative width', () => hugePng(0xffff_ffff, 1)),
  refused('a JPEG of 40000 × 40000', async () => hugeJpeg(40_000, 40_000)),
  // Not whole.
  refused('nothing at all', () => Buffer.alloc(0)),
  refused('a PNG without a size', () => hugePng(0, 0)),
  refused('a PNG without pixels', () => writePng([pngHeader(), end])),
  refused('a PNG without an end', () => writePng([pngHeader(), pngPixels()])),
  refused('a PNG with a wrong checksum', () => broken(dot(), -1)),
  refused('a PNG with pixels that were changed', () => broken(dot(), 45)),
  refused('a PNG with a chunk of 4 GiB', () => absurdChunk(0xffff_ffff)),
  refused('a PNG with a chunk that ends behind the file', () => absurdChunk(1_000)),
  refused('a PNG of 100,000 empty chunks', () =>
    writePng([pngHeader(), Buffer.concat(Array(100_000).fill(pngChunk('teXt'))), end]),
  ),
  refused('half a JPEG', async () => (await makePicture('jpeg')).subarray(0, 200)),
  refused('half a WebP', async () => half(await makePicture('webp'))),
  refused('a WebP longer than it says', () => broken(hugeWebp(4, 4), 4)),
  // Something else, by whatever name.
  refused('an SVG', () =>
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  ),
  refused('an SVG behind a declaration', () => Buffer.from('<?xml version="1.0"?>\n<svg/>')),
  refused('an HTML page', () => markup),
  refused('a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')),
  refused('a ZIP', () => Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1')),
  refused('an ELF program', () => Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1')),
  refused('a BMP', () => Buffer.from('BM\x46\0\0\0\0\0\0\0\x36\0\0\0', 'latin1')),
  refused('a TIFF', () => Buffer.from('II*\0\x08\0\0\0\0\0', 'latin1')),
  refused('a GIF', () => Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,', 'latin1')),
  refused('an ICO', () => Buffer.from('\0\0\x01\0\x01\0\x10\x10\0\0', 'latin1')),
  refused('an AVIF', () => Buffer.from('\0\0\0\x1cftypavif\0\0\0\0mif1avif', 'latin1')),
  refused('an MP4', () => Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0isommp42', 'latin1')),
  refused('a JPEG XL', () => Buffer.from('\xff\x0a\xfa\x7f\x01', 'latin1')),
  refused('a gzipped picture', () => Buffer.from('\x1f\x8b\x08\0\0\0\0\0', 'latin1')),
  // Many pictures in one.
  refused('a WebP of 2,000 frames', () => animatedWebp(2_000)),
  open('a PNG of 2,000 frames', () => animatedPng(2_000)),
  // More than it seems.
  open('a PNG with text of 100 MiB', () =>
    withChunk('zTXt', Buffer.concat([keyword, inflating()])),
  ),
  open('a PNG with international text of 100 MiB', () =>
    withChunk('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0'), inflating()])),
  ),
  open('a PNG with a colour profile of 100 MiB', () =>
    withChunk('iCCP', Buffer.concat([keyword, inflating()])),
  ),
  open('a PNG whose one pixel inflates to 100 MiB', () =>
    writePng([pngHeader(), pngChunk('IDAT', inflating()), end]),
  ),
  open('a PNG that is a web page too', () => withChunk('teXt', markup)),
  open('a PNG with a web page behind it', () => Buffer.concat([dot(), markup])),
  open('a PNG with a ZIP behind it', () => Buffer.concat([dot(), Buffer.from('PK\x05\x06')])),
  open('a JPEG with markup in a comment', async () => commented(await makePicture('jpeg'))),
];

const keyword = Buffer.from('Comment\0\0');

function refused(name: string, make: HostilePicture['make']): HostilePicture {
  return { name, isRefused: true, make };
}

function open(name: string, make: HostilePicture['make']): HostilePicture {
  return { name, isRefused: null, make };
}

function dot(): Buffer {
  return writePng([pngHeader(), pngPixels(), end]);
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

/** With one byte changed; a negative place counts from the end. */
function broken(bytes: Buffer, place: number): Buffer {
  const changed = Buffer.from(bytes);
  const at = place < 0 ? changed.length + place : place;
  changed[at] = must(changed[at], 'a byte of the file') ^ 0x55;
  return changed;
}

function absurdChunk(length: number): Buffer {
  const chunk = Buffer.alloc(12);
  chunk.writeUInt32BE(length, 0);
  chunk.write('IDAT', 4);
  return writePng([pngHeader(), chunk, end]);
}

function withChunk(type: string, data: Buffer): Buffer {
  return writePng([pngHeader(), pngChunk(type, data), pngPixels(), end]);
}

async function hugeJpeg(width: number, height: number): Promise<Buffer> {
  const jpeg = Buffer.from(await makePicture('jpeg'));
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

function commented(jpeg: Buffer): Buffer {
  const segment = Buffer.from([0xff, 0xfe, 0, 0]);
  segment.writeUInt16BE(markup.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, markup, jpeg.subarray(2)]);
}

function animatedPng(frames: number): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  const pixels = deflateSync(Buffer.from([0, 1, 2, 3]));
  const rest = Array.from({ length: frames - 1 }, (_, index) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(2 * index + 2, 0);
    const data = pngChunk('fdAT', Buffer.concat([number, pixels]));
    return Buffer.concat([frameControl(2 * index + 1), data]);
  });
  const first = [pngHeader(), pngChunk('acTL', control), frameControl(0), pngPixels()];
  return writePng([...first, ...rest, end]);
}

function frameControl(number: number): Buffer {
  const data = Buffer.alloc(26);
  data.writeUInt32BE(number, 0);
  data.writeUInt32BE(1, 4);
  data.writeUInt32BE(1, 8);
  data.writeUInt16BE(1, 20);
  data.writeUInt16BE(1, 22);
  return pngChunk('fcTL', data);
}

function animatedWebp(frames: number): Buffer {
  const canvas = Buffer.alloc(10);
  canvas.writeUInt8(0x02, 0);
  const bitstream = Buffer.from([0x2f, 0, 0, 0, 0, 0]);
  const frame = webpChunk('ANMF', Buffer.concat([Buffer.alloc(16), webpChunk('VP8L', bitstream)]));
  return writeWebp([
    webpChunk('VP8X', canvas),
    webpChunk('ANIM', Buffer.alloc(6)),
    ...Array<Buffer>(frames).fill(frame),
  ]);
}
