/** A part of a picture, in whole pixels where it is to be filled with pixels. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Pixels of one channel, row by row. */
export interface Channel {
  pixels: Buffer;
  width: number;
  height: number;
}

/** The smallest area that holds every zero of the channel; null when there is none. */
export function boundsOfZeros({ pixels, width, height }: Channel): Area | null {
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    // Searching a Buffer runs in native code: a large mask takes a few milliseconds.
    const row = pixels.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(0);
    if (first === -1) continue;
    left = Math.min(left, first);
    right = Math.max(right, row.lastIndexOf(0));
    top = Math.min(top, y);
    bottom = y;
  }
  if (bottom === -1) return null;
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Cells per side of the grid on which {@link roomInZeros} looks for room. */
const gridSide = 48;

/**
 * The upright rectangle within `bounds` that holds only zeros and scores best, the lowest of equals:
 * where things fit that should stay whole. It is found on a coarse grid, so its edge may cut off a
 * few pixels.
 */
export function roomInZeros(
  { pixels, width }: Channel,
  bounds: Area,
  score: (size: { width: number; height: number }) => number,
): Area {
  const cell = { width: bounds.width / gridSide, height: bounds.height / gridSide };
  const isZero = (column: number, row: number) => {
    const x = Math.floor(bounds.left + (column + 0.5) * cell.width);
    const y = Math.floor(bounds.top + (row + 0.5) * cell.height);
    return pixels[y * width + x] === 0;
  };
  let best: { bottom: number; area: Area } | null = null;
  let bestScore = 0;
  for (const { left, top, right, bottom } of freeRectangles(isZero)) {
    const size = { width: (right - left) * cell.width, height: (bottom - top) * cell.height };
    const isLower = best === null || bottom > best.bottom;
    if (score(size) < bestScore || (score(size) === bestScore && !isLower)) continue;
    bestScore = score(size);
    best = {
      bottom,
      area: { left: bounds.left + left * cell.width, top: bounds.top + top * cell.height, ...size },
    };
  }
  return best?.area ?? bounds;
}

interface CellRange {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Every run of free columns at each row, as high as its cells are free above it. */
function* freeRectangles(isFree: (column: number, row: number) => boolean): Generator<CellRange> {
  const rises = Array.from({ length: gridSide }, () => 0);
  for (let row = 0; row < gridSide; row++) {
    for (let column = 0; column < gridSide; column++) {
      rises[column] = isFree(column, row) ? (rises[column] ?? 0) + 1 : 0;
    }
    for (let left = 0; left < gridSide; left++) {
      let height = gridSide;
      for (let right = left + 1; right <= gridSide; right++) {
        height = Math.min(height, rises[right - 1] ?? 0);
        if (height === 0) break;
        yield { left, right, top: row + 1 - height, bottom: row + 1 };
      }
    }
  }
}
