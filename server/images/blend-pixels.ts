import { setImmediate as othersDone } from 'node:timers/promises';

/** A few milliseconds' worth. */
const pixelsPerTurn = 1024 ** 2;

/**
 * Puts one picture into another, in place. Both as red, green, blue and alpha of each pixel, 8 bits each.
 * @param shares of the first, for each pixel: at 255 it is taken and at 0 the other left, each exactly as
 * it is; between, both show, and where each is there by half, together they are whole
 */
export async function blendPixels(from: Buffer, into: Buffer, shares: Buffer): Promise<void> {
  const source = new Uint32Array(from.buffer, from.byteOffset, shares.length);
  const target = new Uint32Array(into.buffer, into.byteOffset, shares.length);
  for (let begin = 0; begin < shares.length; begin += pixelsPerTurn) {
    const end = Math.min(shares.length, begin + pixelsPerTurn);
    for (let pixel = begin; pixel < end; pixel++) {
      const share = shares[pixel] ?? 0;
      if (share === 255) target[pixel] = source[pixel] ?? 0;
      else if (share !== 0) blendPixel(from, into, { at: pixel * 4, share: share / 255 });
    }
    if (end < shares.length) await othersDone();
  }
}

function blendPixel(from: Buffer, into: Buffer, { at, share }: { at: number; share: number }) {
  const fromAlpha = share * (from[at + 3] ?? 0);
  const intoAlpha = (1 - share) * (into[at + 3] ?? 0);
  const alpha = fromAlpha + intoAlpha;
  // What cannot be seen at all has no colour to give.
  const fromShare = alpha === 0 ? share : fromAlpha / alpha;
  for (let part = at; part < at + 3; part++) {
    into[part] = Math.round(fromShare * (from[part] ?? 0) + (1 - fromShare) * (into[part] ?? 0));
  }
  into[at + 3] = Math.round(alpha);
}
