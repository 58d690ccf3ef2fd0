import { num } from './sheet.ts';

/**
 * A small stroke font, so that captions look the same on every machine and need no font files.
 *
 * Each glyph is path data on a grid 4 wide and 6 high, its origin at the top left, to be stroked
 * with round ends. Commands are relative after the first point, so a glyph is placed by moving
 * its start.
 */
const glyphs: Readonly<Record<string, Glyph>> = {
  A: {
    width: 4,
    strokes: [
      [0, 6, 'l2-6 2 6'],
      [0.7, 4, 'h2.6'],
    ],
  },
  B: {
    width: 3.6,
    strokes: [
      [0, 3, 'h2.1c2 0 2 3 0 3h-2.1'],
      [0, 3, 'h1.9c1.9 0 1.9-3 0-3h-1.9v6'],
    ],
  },
  C: { width: 3.9, strokes: [[3.9, 1.2, 'c-1-1.7-3.9-1.8-3.9 1.8s2.9 3.5 3.9 1.8']] },
  D: { width: 3.9, strokes: [[0, 0, 'h1.3c3.5 0 3.5 6 0 6h-1.3z']] },
  E: {
    width: 3.2,
    strokes: [
      [3.2, 0, 'h-3.2v6h3.2'],
      [0, 3, 'h2.7'],
    ],
  },
  F: {
    width: 3.1,
    strokes: [
      [3.1, 0, 'h-3.1v6'],
      [0, 3, 'h2.6'],
    ],
  },
  G: { width: 4, strokes: [[3.9, 1.2, 'c-1-1.7-3.9-1.8-3.9 1.8s3.9 4 4 0h-1.7']] },
  H: {
    width: 3.7,
    strokes: [
      [0, 0, 'v6'],
      [3.7, 0, 'v6'],
      [0, 3, 'h3.7'],
    ],
  },
  I: { width: 0.2, strokes: [[0.1, 0, 'v6']] },
  J: { width: 2.8, strokes: [[2.8, 0, 'v4.2c0 2.4-2.4 2.3-2.8.5']] },
  K: {
    width: 3.6,
    strokes: [
      [0, 0, 'v6'],
      [3.4, 0, 'l-3.4 3.6'],
      [1.3, 2.3, 'l2.3 3.7'],
    ],
  },
  L: { width: 3, strokes: [[0, 0, 'v6h3']] },
  M: { width: 4.6, strokes: [[0, 6, 'v-6l2.3 4 2.3-4v6']] },
  N: { width: 3.8, strokes: [[0, 6, 'v-6l3.8 6v-6']] },
  O: { width: 4.4, strokes: [[2.2, 0, 'c-2.9 0-2.9 6 0 6s2.9-6 0-6z']] },
  P: { width: 3.5, strokes: [[0, 6, 'v-6h2c2 0 2 3.4 0 3.4h-2']] },
  Q: {
    width: 4.4,
    strokes: [
      [2.2, 0, 'c-2.9 0-2.9 6 0 6s2.9-6 0-6z'],
      [2.8, 4.5, 'l1.5 1.6'],
    ],
  },
  R: {
    width: 3.6,
    strokes: [
      [0, 6, 'v-6h2c2 0 2 3.3 0 3.3h-2'],
      [1.7, 3.3, 'l1.9 2.7'],
    ],
  },
  S: {
    width: 3.5,
    strokes: [[3.3, 1.1, 'c-.8-1.6-3.2-1.4-3.2.5 0 2.1 3.4 1 3.4 2.9 0 2-2.8 2-3.5.3']],
  },
  T: {
    width: 3.8,
    strokes: [
      [0, 0, 'h3.8'],
      [1.9, 0, 'v6'],
    ],
  },
  U: { width: 3.7, strokes: [[0, 0, 'v4c0 2.7 3.7 2.7 3.7 0v-4']] },
  V: { width: 4, strokes: [[0, 0, 'l2 6 2-6']] },
  W: { width: 5.4, strokes: [[0, 0, 'l1.35 6 1.35-5 1.35 5 1.35-6']] },
  X: {
    width: 3.8,
    strokes: [
      [0, 0, 'l3.8 6'],
      [3.8, 0, 'l-3.8 6'],
    ],
  },
  Y: {
    width: 3.8,
    strokes: [
      [0, 0, 'l1.9 3 1.9-3'],
      [1.9, 3, 'v3'],
    ],
  },
  Z: { width: 3.5, strokes: [[0, 0, 'h3.5l-3.5 6h3.5']] },
  '0': { width: 3.7, strokes: [[1.85, 0, 'c-2.45 0-2.45 6 0 6s2.45-6 0-6z']] },
  '1': { width: 1.6, strokes: [[0, 1.2, 'l1.6-1.2v6']] },
  '2': { width: 3.4, strokes: [[0.1, 1.4, 'c.3-1.9 3.2-1.9 3.2.3 0 1.6-2.2 2.6-3.3 4.3h3.4']] },
  '3': {
    width: 3.3,
    strokes: [[0.2, 0, 'h2.9l-1.7 2.3c2.5-.1 2.6 3.7-.1 3.7-.6 0-1.1-.3-1.3-.9']],
  },
  '4': { width: 3.8, strokes: [[2.8, 6, 'v-6l-2.8 4.3h3.8']] },
  '5': {
    width: 3.4,
    strokes: [[3.1, 0, 'h-2.6l-.3 2.7c1.2-.7 3.2-.3 3.2 1.4 0 2.2-2.7 2.4-3.4.9']],
  },
  '6': {
    width: 3.6,
    strokes: [[2.7, 0, 'c-1.8 1.3-2.7 2.7-2.7 4.1 0 2.5 3.6 2.5 3.6 0 0-2.2-3-2.4-3.6-.3']],
  },
  '7': { width: 3.4, strokes: [[0, 0, 'h3.4l-2.2 6']] },
  '8': {
    width: 3.5,
    strokes: [[1.75, 2.8, 'c-2 0-2-2.8 0-2.8s2 2.8 0 2.8c-2.3 0-2.3 3.2 0 3.2s2.3-3.2 0-3.2z']],
  },
  '9': {
    width: 3.6,
    strokes: [[0.9, 6, 'c1.8-1.3 2.7-2.7 2.7-4.1 0-2.5-3.6-2.5-3.6 0 0 2.2 3 2.4 3.6.3']],
  },
  '×': {
    width: 2.6,
    strokes: [
      [0, 2, 'l2.6 2.6'],
      [2.6, 2, 'l-2.6 2.6'],
    ],
  },
  '·': { width: 0.2, strokes: [[0.1, 3, 'v.01']] },
  '-': { width: 2.2, strokes: [[0, 3.2, 'h2.2']] },
  ' ': { width: 1.4, strokes: [] },
};

interface Glyph {
  width: number;
  strokes: readonly (readonly [x: number, y: number, path: string])[];
}

const capitalHeight = 6;
const letterGap = 1.7;

/** How wide the text is when its capitals are `height` high. */
export function letteringWidth(text: string, height: number): number {
  const widths = [...text].map((letter) => glyphOf(letter).width + letterGap);
  return ((sum(widths) - letterGap) * height) / capitalHeight;
}

/** The text as SVG strokes, the top left corner of its first letter at `x`, `y`. */
export function lettering(
  text: string,
  style: { x: number; y: number; height: number; colour: string },
): string {
  const scale = style.height / capitalHeight;
  const position = `translate(${num(style.x)} ${num(style.y)}) scale(${Math.round(scale * 1e4) / 1e4})`;
  const pen = `fill="none" stroke="${style.colour}" stroke-width="0.95" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g transform="${position}" ${pen}><path d="${letteringPath(text)}"/></g>`;
}

/** The text's strokes on the font's own grid: the same text always gives the same path. */
export function letteringPath(text: string): string {
  let pen = 0;
  let path = '';
  for (const letter of text) {
    const glyph = glyphOf(letter);
    for (const [x, y, strokes] of glyph.strokes) path += `M${num(pen + x)} ${num(y)}${strokes}`;
    pen += glyph.width + letterGap;
  }
  return path;
}

/** What the font cannot draw becomes a space: captions hold nothing but our own words. */
function glyphOf(letter: string): Glyph {
  return glyphs[letter] ?? { width: 1.4, strokes: [] };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
