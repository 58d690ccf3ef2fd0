/**
 * Writes masks as PNG: black, with alpha 0 where the picture may change and 255 elsewhere. By hand,
 * because canvases are too small for the largest pictures on some devices and keep no row to itself.
 * Format: https://www.w3.org/TR/png-3/
 */
import { crc32 } from '../lib/crc32.ts';

/** @param rows alpha of each pixel of some whole rows, from the top to the bottom */
export async function encodeMaskPng(
  { width, height }: { width: number; height: number },
  rows: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Blob> {
  const packer = new CompressionStream('deflate');
  const packed = new Response(packer.readable).arrayBuffer();
  const writer = packer.writable.getWriter();
  for await (const alpha of rows) await writer.write(scanLines(alpha, width));
  await writer.close();
  return new Blob(
    [
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      chunk('IHDR', header(width, height)),
      chunk('IDAT', new Uint8Array(await packed)),
      chunk('IEND', new Uint8Array(0)),
    ],
    { type: 'image/png' },
  );
}

const channels = 4;

/** Each row begins with its filter, which is none; red, green and blue stay 0. */
function scanLines(alpha: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const count = alpha.length / width;
  const lineBytes = 1 + width * channels;
  const lines = new Uint8Array(count * lineBytes);
  for (let row = 0; row < count; row++) {
    const from = row * width;
    const to = row * lineBytes + channels;
    for (let x = 0; x < width; x++) lines[to + x * channels] = alpha[from + x] ?? 0;
  }
  return lines;
}

function header(width: number, height: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(13));
  view.setUint32(0, width);
  view.setUint32(4, height);
  // 8 bits a channel, red, green, blue and alpha; the rest is 0 in every PNG of this kind.
  view.setUint8(8, 8);
  view.setUint8(9, 6);
  return new Uint8Array(view.buffer);
}

function chunk(name: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  for (let i = 0; i < name.length; i++) bytes[4 + i] = name.charCodeAt(i);
  bytes.set(content, 8);
  view.setUint32(8 + content.length, crc32(bytes.subarray(4, 8 + content.length)));
  return bytes;
}
