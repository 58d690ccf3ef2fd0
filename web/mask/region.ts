/** A region of a picture as it is typed: the way to a mask without a pointer. */
import type { Size } from './view.ts';

export interface RegionFields {
  x: string;
  y: string;
  width: string;
  height: string;
}

export type RegionUnit = 'percent' | 'px';

export type ReadRegion =
  | { kind: 'region'; x: number; y: number; width: number; height: number }
  | { kind: 'invalid'; field: keyof RegionFields; why: 'number' | 'empty' | 'outside' };

const names = ['x', 'y', 'width', 'height'] as const;

/** In the picture's pixels, and cut off where it ends. */
export function readRegion(fields: RegionFields, unit: RegionUnit, picture: Size): ReadRegion {
  const read = { x: 0, y: 0, width: 0, height: 0 };
  for (const name of names) {
    const number = readNumber(fields[name]);
    if (number === null) return { kind: 'invalid', field: name, why: 'number' };
    const side = name === 'x' || name === 'width' ? picture.width : picture.height;
    read[name] = unit === 'px' ? number : (number / 100) * side;
  }
  if (read.width <= 0) return { kind: 'invalid', field: 'width', why: 'empty' };
  if (read.height <= 0) return { kind: 'invalid', field: 'height', why: 'empty' };
  const x = Math.max(0, read.x);
  const y = Math.max(0, read.y);
  const width = Math.min(picture.width, read.x + read.width) - x;
  const height = Math.min(picture.height, read.y + read.height) - y;
  if (width <= 0) return { kind: 'invalid', field: 'x', why: 'outside' };
  if (height <= 0) return { kind: 'invalid', field: 'y', why: 'outside' };
  return { kind: 'region', x, y, width, height };
}

/** Also with a comma, as half of the world writes. */
function readNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.').replace('\u2212', '-');
  if (!/^-?\d{1,6}(\.\d{1,6})?$/.test(plain)) return null;
  return Number(plain);
}
