import { randomFor } from './seeded-random.ts';

/** A small piece of film grain as RGBA, to be repeated over a picture. */
export interface GrainTile {
  pixels: Buffer;
  width: number;
  height: number;
}

const sideMax = 256;

/** Tiles of full size by strength: one for each quality, at a quarter of a megabyte. */
const fullTiles = new Map<number, GrainTile>();

/** Grain for a picture of this size: specks whose opacity is about `strength` steps of a channel. */
export function grainTile(strength: number, picture: { width: number; height: number }): GrainTile {
  // A tile may not be larger than the picture it is laid on.
  const width = Math.min(sideMax, picture.width);
  const height = Math.min(sideMax, picture.height);
  if (width < sideMax || height < sideMax) return makeTile(strength, width, height);
  const tile = fullTiles.get(strength) ?? makeTile(strength, sideMax, sideMax);
  fullTiles.set(strength, tile);
  return tile;
}

function makeTile(strength: number, width: number, height: number): GrainTile {
  const random = randomFor('grain', String(strength));
  const pixels = Buffer.alloc(width * height * 4);
  for (let i = 0; i < pixels.length; i += 4) {
    // The sum of three even chances is close enough to the bell curve of real grain.
    const grain = random.next() + random.next() + random.next() - 1.5;
    pixels.fill(grain > 0 ? 255 : 0, i, i + 3);
    pixels[i + 3] = Math.round(Math.abs(grain) * strength * 2);
  }
  return { pixels, width, height };
}
