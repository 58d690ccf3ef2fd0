import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodeMaskPng } from './mask-png.ts';

async function decoded(png: Blob) {
  const image = sharp(Buffer.from(await png.arrayBuffer()));
  const { format, channels, hasAlpha } = await image.metadata();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const pixels = Array.from({ length: info.width * info.height }, (_, index) => [
    ...data.subarray(index * 4, index * 4 + 4),
  ]);
  return { format, channels, hasAlpha, width: info.width, height: info.height, pixels };
}

describe('a mask as PNG', () => {
  it('has each pixel’s alpha, and is black', async () => {
    const alpha = Uint8Array.of(0, 255, 0, 255, 255, 0);
    const png = await encodeMaskPng({ width: 3, height: 2 }, [alpha]);
    expect(png.type).toBe('image/png');
    expect(await decoded(png)).toEqual({
      format: 'png',
      channels: 4,
      hasAlpha: true,
      width: 3,
      height: 2,
      pixels: [...alpha].map((value) => [0, 0, 0, value]),
    });
  });

  it('may be written a few rows at a time', async () => {
    const size = { width: 5, height: 7 };
    const alpha = Uint8Array.from({ length: 35 }, (_, index) => (index % 3 === 0 ? 0 : 255));
    const parts = [alpha.subarray(0, 10), alpha.subarray(10, 15), alpha.subarray(15)];
    const [whole, inParts] = await Promise.all([
      encodeMaskPng(size, [alpha]).then(decoded),
      encodeMaskPng(size, parts).then(decoded),
    ]);
    expect(inParts).toEqual(whole);
  });

  it('is small for a large picture', async () => {
    const row = Uint8Array.from({ length: 3840 }, (_, x) => (x > 1000 && x < 3000 ? 0 : 255));
    const png = await encodeMaskPng({ width: 3840, height: 2160 }, Array(2160).fill(row));
    expect(png.size).toBeLessThan(4_000_000);
    const { width, height } = await sharp(Buffer.from(await png.arrayBuffer())).metadata();
    expect([width, height]).toEqual([3840, 2160]);
  });
});
