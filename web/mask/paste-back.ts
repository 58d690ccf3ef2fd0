/**
 * Puts a picture together from two: what was to change from the new one, everything else from the
 * original, with a seam around the mask in which one fades into the other.
 */
export interface PasteBack {
  width: number;
  height: number;
  /** Red, green, blue, alpha of each pixel, all three of one size. */
  result: Uint8ClampedArray;
  original: Uint8ClampedArray;
  /** Alpha of the mask: 0 where the picture was to change, as it is sent. */
  maskAlpha: Uint8Array;
  /** Width of the seam, which lies outside of the mask; 0 has none. */
  feather: number;
}

export function pasteBack({ width, height, result, original, maskAlpha, feather }: PasteBack) {
  const distances = squaredDistances(maskAlpha, { width, height });
  const pasted = new Uint8ClampedArray(result.length);
  for (let pixel = 0; pixel < distances.length; pixel++) {
    const share = shareOfResult(distances[pixel] ?? 0, feather);
    const at = pixel * 4;
    for (let part = at; part < at + 4; part++) {
      const kept = original[part] ?? 0;
      // Exactly the original's where the share is none, exactly the result's where it is all.
      pasted[part] = kept + ((result[part] ?? 0) - kept) * share;
    }
  }
  return pasted;
}

/** Whole inside, nothing from the seam's width on. */
function shareOfResult(squared: number, feather: number): number {
  if (squared === 0) return 1;
  if (squared > feather * feather) return 0;
  return 1 - Math.sqrt(squared) / (feather + 1);
}

const far = 1e12;

/**
 * From each pixel to the nearest one inside the mask, squared: first along the columns, then along the
 * rows as the lower envelope of parabolas (Felzenszwalb and Huttenlocher, "Distance Transforms of
 * Sampled Functions", 2012). Each pixel is touched a few times, however wide the seam.
 */
function squaredDistances(
  maskAlpha: Uint8Array,
  { width, height }: { width: number; height: number },
): Float64Array {
  const squared = new Float64Array(width * height);
  for (let x = 0; x < width; x++) measureColumn(maskAlpha, squared, { x, width, height });
  const row = new Float64Array(width);
  const envelope = { centres: new Int32Array(width), borders: new Float64Array(width + 1) };
  for (let y = 0; y < height; y++) {
    row.set(squared.subarray(y * width, (y + 1) * width));
    measureRow(row, squared.subarray(y * width, (y + 1) * width), envelope);
  }
  return squared;
}

function measureColumn(
  maskAlpha: Uint8Array,
  squared: Float64Array,
  { x, width, height }: { x: number; width: number; height: number },
): void {
  let since = far;
  for (let y = 0; y < height; y++) {
    since = maskAlpha[y * width + x] === 0 ? 0 : since + 1;
    squared[y * width + x] = since;
  }
  since = far;
  for (let y = height - 1; y >= 0; y--) {
    const at = y * width + x;
    since = maskAlpha[at] === 0 ? 0 : since + 1;
    const nearest = Math.min(since, squared[at] ?? far);
    squared[at] = nearest >= far ? far : nearest * nearest;
  }
}

interface Envelope {
  centres: Int32Array;
  /** Where one parabola ends and the next begins. */
  borders: Float64Array;
}

function measureRow(from: Float64Array, to: Float64Array, { centres, borders }: Envelope): void {
  const heightAt = (x: number) => (from[x] ?? far) + x * x;
  const borderTo = (x: number, centre: number) =>
    (heightAt(x) - heightAt(centre)) / (2 * (x - centre));
  let last = 0;
  centres[0] = 0;
  borders[0] = Number.NEGATIVE_INFINITY;
  borders[1] = Number.POSITIVE_INFINITY;
  for (let x = 1; x < from.length; x++) {
    let border = borderTo(x, centres[last] ?? 0);
    // The first one's border lies before everything.
    while (border <= (borders[last] ?? 0)) border = borderTo(x, centres[--last] ?? 0);
    last++;
    centres[last] = x;
    borders[last] = border;
    borders[last + 1] = Number.POSITIVE_INFINITY;
  }
  let shown = 0;
  for (let x = 0; x < from.length; x++) {
    while ((borders[shown + 1] ?? far) < x) shown++;
    const centre = centres[shown] ?? 0;
    to[x] = (x - centre) ** 2 + (from[centre] ?? far);
  }
}
