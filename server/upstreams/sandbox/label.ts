import type { Area } from './area.ts';
import { hex, oklch } from './colour.ts';
import { lettering, letteringWidth } from './lettering.ts';
import { num, type Sheet } from './sheet.ts';

/** What every picture says about itself. */
export const sandboxCaption = 'SANDBOX · TEST PICTURE';

const ground = hex(oklch(0.17, 0.015, 260));
const letters = hex(oklch(0.97, 0.01, 90));

/** Sizes in parts of the letters' height. */
const padding = { across: 1.5, along: 1.15 };
const gap = 2.2;
const marginMax = 1.9;
const barHeight = 1 + 2 * padding.along;

interface Size {
  width: number;
  height: number;
}

/** How much room the label wants in a picture of this size, with a margin around it. */
export function labelRoom(picture: Size, facts: string): Size {
  const letterHeight = naturalLetterHeight(picture);
  return {
    width: letterHeight * (barWidth(facts) + 2 * marginMax),
    height: letterHeight * (barHeight + 2 * marginMax),
  };
}

/** Draws the label at the foot of the area: of one size in every picture, smaller in a small area. */
export function drawLabel(sheet: Sheet, area: Area, facts: string): void {
  const letterHeight = Math.min(
    naturalLetterHeight(sheet),
    (area.width * 0.94) / barWidth(facts),
    (area.height * 0.94) / barHeight,
  );
  const width = letterHeight * barWidth(facts);
  const height = letterHeight * barHeight;
  const margin = Math.min(
    letterHeight * marginMax,
    (area.width - width) / 2,
    (area.height - height) / 2,
  );
  const x = area.left + margin;
  const y = area.top + area.height - margin - height;
  sheet.add(
    `<rect x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}" rx="${num(height / 2)}" fill="${ground}" fill-opacity="0.82"/>`,
  );
  const line = { y: y + letterHeight * padding.along, height: letterHeight, colour: letters };
  const first = x + letterHeight * padding.across;
  const second = first + letteringWidth(sandboxCaption, letterHeight) + letterHeight * gap;
  sheet.add(lettering(sandboxCaption, { ...line, x: first }));
  sheet.group('opacity="0.66"', () => sheet.add(lettering(facts, { ...line, x: second })));
}

function naturalLetterHeight({ width, height }: Size): number {
  return Math.min(width, height) * 0.0145;
}

function barWidth(facts: string): number {
  return letteringWidth(sandboxCaption, 1) + letteringWidth(facts, 1) + gap + 2 * padding.across;
}
