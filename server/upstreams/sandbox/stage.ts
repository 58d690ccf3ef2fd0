import type { Colour } from './colour.ts';
import type { Detail } from './detail.ts';
import type { Mood } from './mood.ts';
import type { Palette } from './palette.ts';
import type { Random } from './seeded-random.ts';
import type { Sheet } from './sheet.ts';

/** One scene being drawn: what its parts need to know. */
export interface Stage {
  sheet: Sheet;
  width: number;
  height: number;
  /** A thousandth of the shorter side: all line widths and sizes are multiples of it. */
  unit: number;
  mood: Mood;
  palette: Palette;
  detail: Detail;
  hasSky: boolean;
  disc: { x: number; y: number; radius: number };
  random: (label: string) => Random;
}

/** One layer of land: where it lies and what it is painted with. */
export interface Layer {
  /** Its mean height, from the top of the picture. */
  level: number;
  /** 0 for the farthest layer, 1 for the nearest. */
  nearness: number;
  colour: Colour;
  fill: string;
  random: Random;
}
