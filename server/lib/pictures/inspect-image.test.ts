import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageFormats } from '../../../shared/image-options.ts';
import {
  hugePng,
  hugeWebp,
  makePicture,
  pngChunk,
  pngHeader,
  pngOfLength,
  pngPixels,
  webpChunk,
  writePng,
  writeWebp,
} from '../../../test/support/pictures.ts';
import { KeptBytes } from '../bytes/kept-bytes.ts';
import { base64Block, encodeBase64 } from './base64.ts';
import { inspectImage, mediaTypeOf, readImageHeader } from './inspect-image.ts';

function headerOf(bytes: Buffer) {
  return readImageHeader(KeptBytes.of(bytes));
}

/** Raw and in base64, of which the same must be said. */
function inspectBoth(bytes: Buffer) {
  const info = inspectImage({ encoding: 'raw', bytes });
  expect(inspectImage({ encoding: 'base64', ascii: encodeBase64(bytes) })).toEqual(info);
  return info;
}
const size = { width: 21, height: 13 };

describe('whole pictures', () => {
  test.each(imageFormats)('tells a %s by its bytes, raw or in base64', async (format) => {
    const bytes = await makePicture(format, size);
    const info = { format, ...size, hasAlpha: false };
    expect(inspectBoth(bytes)).toEqual(info);
    expect(headerOf(bytes)).toEqual(info);
  });

  test.each(['png', 'webp'] as const)('sees the alpha channel of a %s', async (format) => {
    const bytes = await makePicture(format, { ...size, alpha: true });
    expect(inspectBoth(bytes)).toMatchObject({ hasAlpha: true });
  });

  const source = sharp({
    create: { ...size, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } },
  });
  test.each([
    ['a palette PNG with transparency', source.clone().png({ palette: true }), true],
    ['an interlaced PNG', source.clone().png({ progressive: true }), true],
    ['a grey PNG', source.clone().removeAlpha().greyscale().png(), false],
    ['a 16-bit PNG', source.clone().toColourspace('rgb16').png(), true],
    ['a PNG with text and profile', source.clone().withMetadata({ density: 300 }).png(), true],
    ['a progressive JPEG', source.clone().jpeg({ progressive: true }), false],
    ['a JPEG by mozjpeg', source.clone().jpeg({ mozjpeg: true }), false],
    ['a JPEG with EXIF and profile', source.clone().withMetadata({ orientation: 6 }).jpeg(), false],
    ['a CMYK JPEG', source.clone().removeAlpha().toColourspace('cmyk').jpeg(), false],
    ['a lossless WebP', source.clone().webp({ lossless: true }), true],
    ['an opaque lossless WebP', source.clone().removeAlpha().webp({ lossless: true }), false],
    ['a lossy WebP with alpha', source.clone().webp({ quality: 50 }), true],
    ['an extended WebP with EXIF', source.clone().withMetadata({ orientation: 6 }).webp(), true],
  ])('accepts %s', async (_name, picture, hasAlpha) => {
    expect(inspectBoth(await picture.toBuffer())).toMatchObject({ ...size, hasAlpha });
  });

  test('does not take the thumbnail inside a JPEG for the picture', async () => {
    const thumbnail = await makePicture('jpeg', { width: 2, height: 2 });
    const jpeg = await makePicture('jpeg', size);
    const segment = Buffer.from([0xff, 0xe1, 0, 0]);
    segment.writeUInt16BE(thumbnail.length + 2, 2);
    const bytes = Buffer.concat([jpeg.subarray(0, 2), segment, thumbnail, jpeg.subarray(2)]);
    expect(inspectBoth(bytes)).toMatchObject(size);
  });

  test('accepts an animated PNG as the still picture it contains', () => {
    const control = pngChunk('acTL', Buffer.alloc(8));
    const bytes = writePng([pngHeader(), control, pngPixels(), pngChunk('IEND')]);
    expect(inspectBoth(bytes)).toMatchObject({ format: 'png' });
  });

  test('names the media type', () => {
    expect(imageFormats.map(mediaTypeOf)).toEqual(['image/png', 'image/jpeg', 'image/webp']);
  });
});

describe('pictures that are not whole', () => {
  test.each(imageFormats)('refuses a %s cut anywhere', async (format) => {
    const bytes = await makePicture(format, { ...size, alpha: format !== 'jpeg' });
    for (let length = 0; length < bytes.length; length++) {
      expect(headerOf(bytes.subarray(0, length)), `cut to ${length}`).toBeNull();
      expect(inspectBoth(bytes.subarray(0, length)), `cut to ${length}`).toBeNull();
    }
  });

  test('refuses a PNG with any one byte changed', async () => {
    const bytes = await makePicture('png', size);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x20, at);
      expect(inspectBoth(changed), `changed at ${at}`).toBeNull();
    }
  });

  test.each(imageFormats)('refuses bytes behind a %s, unless a caller gave it', async (format) => {
    const bytes = Buffer.concat([await makePicture(format, size), Buffer.from('<script>')]);
    expect(inspectBoth(bytes)).toBeNull();
    expect(headerOf(bytes)).toMatchObject({ format, ...size });
  });

  test('tolerates zeros behind a JPEG only', async () => {
    const padded = async (format: 'png' | 'jpeg') =>
      inspectBoth(Buffer.concat([await makePicture(format), Buffer.alloc(100)]));
    expect(await padded('jpeg')).not.toBeNull();
    expect(await padded('png')).toBeNull();
  });

  test('refuses base64 that is not valid', async () => {
    const ascii = encodeBase64(await makePicture('png'));
    const spoiled = Buffer.concat([ascii.subarray(0, 40), Buffer.from('    '), ascii.subarray(40)]);
    expect(inspectImage({ encoding: 'base64', ascii })).not.toBeNull();
    expect(inspectImage({ encoding: 'base64', ascii: spoiled })).toBeNull();
  });

  test('refuses base64 with one wrong character anywhere', () => {
    const ascii = encodeBase64(pngOfLength(3 * base64Block.bytes + 2));
    const place = fc.oneof(
      fc.nat(ascii.length - 1),
      fc.constantFrom(
        ...[0, base64Block.characters, 2 * base64Block.characters, ascii.length - 1],
        ...[base64Block.characters - 1, 3 * base64Block.characters - 1],
      ),
    );
    fc.assert(
      fc.property(place, fc.constantFrom(' ', '-', '_', '\0', '\n'), (at, wrong) => {
        const spoiled = Buffer.from(ascii);
        spoiled.write(wrong, at);
        expect(inspectImage({ encoding: 'base64', ascii: spoiled })).toBeNull();
      }),
    );
  });
});

describe('other bytes', () => {
  test.each([
    ['nothing', ''],
    ['text', 'a picture of a cat'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'],
    ['HTML', '<!doctype html><html></html>'],
    ['PDF', '%PDF-1.7 and so on and so forth'],
    ['a ZIP archive', 'PK\x03\x04 and so on and so forth, long enough'],
    ['a program', '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0\0'],
    ['a BMP', 'BM\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'],
    ['a GIF', 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\0;'],
    ['a sound in RIFF', 'RIFF\x18\0\0\0WAVEfmt \x10\0\0\0\0\0\0\0\0\0\0\0'],
  ])('refuses %s', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(inspectBoth(bytes)).toBeNull();
    expect(headerOf(bytes)).toBeNull();
  });
});

describe('PNG structure', () => {
  const end = pngChunk('IEND');
  const palette = pngChunk('PLTE', Buffer.alloc(3));
  const twoRows = pngChunk('IDAT', Buffer.alloc(4));

  test.each([
    ['no pixels', [pngHeader(), end]],
    ['only empty pixel chunks', [pngHeader(), pngChunk('IDAT'), end]],
    ['no header', [pngPixels(), end]],
    ['two headers', [pngHeader(), pngHeader(), pngPixels(), end]],
    ['no end', [pngHeader(), pngPixels()]],
    ['an end with data', [pngHeader(), pngPixels(), pngChunk('IEND', Buffer.alloc(1))]],
    ['a header that is too long', [pngChunk('IHDR', Buffer.alloc(14)), pngPixels(), end]],
    ['width zero', [pngHeader({ width: 0 }), pngPixels(), end]],
    ['height zero', [pngHeader({ height: 0 }), pngPixels(), end]],
    ['an absurd width', [pngHeader({ width: 2 ** 31 }), pngPixels(), end]],
    ['an unknown colour type', [pngHeader({ colourType: 5 }), pngPixels(), end]],
    ['a depth that the colours do not allow', [pngHeader({ bitDepth: 4 }), pngPixels(), end]],
    ['palette colours without a palette', [pngHeader({ colourType: 3 }), twoRows, end]],
    ['an unknown critical chunk', [pngHeader(), pngChunk('CgBI'), pngPixels(), end]],
  ])('refuses %s', (_name, chunks) => {
    expect(inspectBoth(writePng(chunks))).toBeNull();
  });

  test('accepts palette colours with a palette', () => {
    const chunks = [pngHeader({ colourType: 3 }), palette, twoRows, end];
    expect(inspectBoth(writePng(chunks))).toMatchObject({ format: 'png', hasAlpha: false });
  });

  test.each([
    ['before the pixels', [pngChunk('tRNS', Buffer.alloc(6)), pngPixels()], true],
    [
      'behind them, where no decoder looks',
      [pngPixels(), pngChunk('tRNS', Buffer.alloc(6))],
      false,
    ],
  ])('sees what is transparent %s', (_where, chunks, hasAlpha) => {
    expect(inspectBoth(writePng([pngHeader(), ...chunks, end]))).toMatchObject({ hasAlpha });
  });

  test('refuses a chunk whose length is absurd', () => {
    const bytes = writePng([pngHeader(), pngPixels(), end]);
    bytes.writeUInt32BE(0xffff_fff0, 33);
    expect(inspectBoth(bytes)).toBeNull();
  });

  test('gives up on a file of endless tiny chunks', () => {
    const many = Array.from({ length: 40_000 }, () => pngChunk('teXt'));
    expect(inspectBoth(writePng([pngHeader(), ...many, pngPixels(), end]))).toBeNull();
  });

  test('reads the size that a decompression bomb claims without inflating it', () => {
    expect(headerOf(hugePng(60_000, 60_000))).toMatchObject({ width: 60_000 });
  });

  test('does not mind a large private chunk', () => {
    expect(inspectBoth(pngOfLength(1_000_000))).toMatchObject({ width: 1, height: 1 });
  });

  test('reads chunks of any length, wherever the blocks of base64 end', () => {
    const { bytes } = base64Block;
    const length = fc.oneof(fc.nat(40), fc.integer({ min: bytes - 60, max: bytes + 4 }));
    fc.assert(
      fc.property(fc.array(length, { minLength: 1, maxLength: 4 }), fc.nat(100), (lengths, at) => {
        const chunks = lengths.map((each) => pngChunk('teXt', Buffer.alloc(each, each)));
        const png = writePng([pngHeader(), ...chunks, pngPixels(), end]);
        expect(inspectBoth(png)).toMatchObject({ format: 'png' });
        const place = Math.floor((at / 101) * png.length);
        png.writeUInt8(png.readUInt8(place) ^ 1, place);
        expect(inspectBoth(png)).toBeNull();
      }),
    );
  });
});

describe('JPEG structure', () => {
  const start = [0xff, 0xd8];
  const frame = [0xff, 0xc0, 0, 11, 8, 0, 5, 0, 7, 1, 1, 0x11, 0];
  const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0, 0xff, 0xd3, 0x34];
  const end = [0xff, 0xd9];

  test('accepts stuffed bytes, restarts, fill bytes and several scans', () => {
    const bytes = [...start, 0xff, 0xff, ...frame, ...scan, ...scan, 0xff, ...end];
    expect(inspectBoth(Buffer.from(bytes))).toMatchObject({ width: 7, height: 5, hasAlpha: false });
  });

  test.each([
    ['no frame', [...start, ...scan, ...end]],
    ['no scan', [...start, ...frame, ...end]],
    ['a scan without data', [...start, ...frame, ...scan.slice(0, 10), ...end]],
    ['no end', [...start, ...frame, ...scan]],
    ['two frames', [...start, ...frame, ...frame, ...scan, ...end]],
    ['a second start', [...start, ...start, ...frame, ...scan, ...end]],
    ['height zero', [...start, ...frame.with(6, 0), ...scan, ...end]],
    ['width zero', [...start, ...frame.with(8, 0), ...scan, ...end]],
    ['two components', [...start, ...frame.with(9, 2), ...scan, ...end]],
    ['a lossless frame', [...start, ...frame.with(1, 0xc3), ...scan, ...end]],
    ['an arithmetic frame', [...start, ...frame.with(1, 0xc9), ...scan, ...end]],
    ['a segment without a length', [...start, 0xff, 0xe0, 0, 1, ...frame, ...scan, ...end]],
    ['a segment that is too long', [...start, 0xff, 0xe0, 0xff, 0xff, ...frame, ...scan, ...end]],
    ['stray bytes between segments', [...start, 7, ...frame, ...scan, ...end]],
  ])('refuses %s', (_name, bytes) => {
    expect(inspectBoth(Buffer.from(bytes))).toBeNull();
  });
});

describe('WebP structure', () => {
  const picture = hugeWebp(3, 2).subarray(12);
  /** A key frame of 16 by 16 pixels. */
  const longerThanIt = Buffer.from([
    20 << 5,
    20 >> 3,
    0,
    0x9d,
    0x01,
    0x2a,
    16,
    0,
    16,
    0,
    ...Array(10),
  ]);
  const extended = (flags: number, width: number, height: number) => {
    const data = Buffer.alloc(10);
    data.writeUInt8(flags, 0);
    data.writeUIntLE(width - 1, 4, 3);
    data.writeUIntLE(height - 1, 7, 3);
    return webpChunk('VP8X', data);
  };

  test('reads the size that 26 bytes claim without decoding them', () => {
    expect(inspectBoth(hugeWebp(16_383, 16_383))).toMatchObject({ width: 16_383, height: 16_383 });
  });

  test('accepts an extended file of the declared size', () => {
    const bytes = writeWebp([extended(0x10, 3, 2), webpChunk('ICCP', Buffer.alloc(3)), picture]);
    expect(inspectBoth(bytes)).toEqual({ format: 'webp', width: 3, height: 2, hasAlpha: true });
  });

  test.each([
    ['no chunks', []],
    ['an animation', [extended(0x02, 3, 2), webpChunk('ANIM', Buffer.alloc(6)), picture]],
    ['an extended header without a picture', [extended(0, 3, 2)]],
    ['another size than declared', [extended(0, 3, 3), picture]],
    ['two pictures', [extended(0, 3, 2), picture, picture]],
    ['an unknown chunk first', [webpChunk('ABCD', Buffer.alloc(4)), picture]],
    ['an extended header behind the picture', [picture, extended(0, 3, 2)]],
    ['two pictures', [extended(0, 3, 2), picture, picture]],
    ['a lossy frame whose first part is longer than it', [webpChunk('VP8 ', longerThanIt)]],
    ['a lossy frame without its start code', [webpChunk('VP8 ', Buffer.alloc(20))]],
    ['a lossless frame without its signature', [webpChunk('VP8L', Buffer.alloc(20))]],
    ['a header that is too short', [webpChunk('VP8X', Buffer.alloc(9)), picture]],
  ])('refuses %s', (_name, chunks) => {
    expect(inspectBoth(writeWebp(chunks))).toBeNull();
  });
});
