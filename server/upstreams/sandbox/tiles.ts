import type { Area } from './area.ts';
import { num, type Sheet } from './sheet.ts';

/** A tile is never larger than this share of the area's shorter side. */
const sideShareMax = 0.24;
const sidePixelsMin = 4;
const frameShare = 0.07;
const gapShare = 0.3;

/**
 * Where `count` square tiles go: in rows from the area's top left corner, as large as all fit into
 * its upper half. None when the area is too small to show them.
 */
export function layTiles(count: number, area: Area): Area[] {
  const pitchFor = (columns: number) =>
    Math.min(area.width / columns, (area.height * 0.5) / Math.ceil(count / columns));
  const columnsBest = Array.from({ length: count }, (_, i) => i + 1).reduce(
    (best, columns) => (pitchFor(columns) > pitchFor(best) ? columns : best),
    1,
  );
  const sideMax = Math.min(area.width, area.height) * sideShareMax;
  const side = Math.floor(Math.min(pitchFor(columnsBest) / (1 + gapShare), sideMax));
  if (side < sidePixelsMin) return [];
  const pitch = side * (1 + gapShare);
  return Array.from({ length: count }, (_, i) => ({
    left: Math.floor(area.left + side * gapShare * 0.7 + (i % columnsBest) * pitch),
    top: Math.floor(area.top + side * gapShare * 0.7 + Math.floor(i / columnsBest) * pitch),
    width: side,
    height: side,
  }));
}

/** White frames with a soft shadow, like prints laid on the picture. */
export function drawFrames(sheet: Sheet, tiles: readonly Area[]): void {
  for (const { left, top, width, height } of tiles) {
    const frame = width * frameShare;
    const size = `width="${num(width + 2 * frame)}" height="${num(height + 2 * frame)}" rx="${num(frame * 0.5)}"`;
    const x = left - frame;
    const y = top - frame;
    sheet.add(
      `<rect x="${num(x + frame * 0.4)}" y="${num(y + frame * 0.8)}" ${size} fill="#000" fill-opacity="0.28"/>`,
    );
    sheet.add(`<rect x="${num(x)}" y="${num(y)}" ${size} fill="#fdfbf7"/>`);
  }
}
