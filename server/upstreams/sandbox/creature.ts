import { hex, lighten, mix } from './colour.ts';
import type { Creature } from './mood.ts';
import { num } from './sheet.ts';
import type { Stage } from './stage.ts';

/** The paints of one creature. */
interface Coat {
  body: string;
  head: string;
  shade: string;
  light: string;
  eye: string;
  ink: string;
  accent: string;
  /** Rows of marks on the chest or wings. */
  rows: number;
}

/**
 * Draws the mood's creature with its feet at `x`, `y`. It is described as its right half, on a
 * grid where the body is 2 wide and its foot at 0. Each shape is mirrored before the next is drawn,
 * and reaches a hair over the middle, so that no seam shows.
 */
export function drawCreature(stage: Stage, x: number, y: number): void {
  const { sheet, unit, mood } = stage;
  const place = `translate(${num(x)} ${num(y)}) scale(${num(unit * creatureSize)})`;
  sheet.group(`transform="${place}"`, () => {
    for (const shape of halves[mood.creature](coatOf(stage))) {
      sheet.add(`${shape}<g transform="scale(-1 1)">${shape}</g>`);
    }
  });
}

/** One step of the creature's grid, in thousandths of the picture's shorter side. */
const creatureSize = 118;

function coatOf({ sheet, palette, detail }: Stage): Coat {
  const dark = mix(palette.nearLand, palette.ink, 0.35);
  const warm = mix(palette.accent, dark, 0.2);
  return {
    body: sheet.verticalGradient([
      [0, lighten(warm, 0.02)],
      [1, mix(warm, dark, 0.72)],
    ]),
    head: sheet.verticalGradient([
      [0, lighten(warm, 0.05)],
      [1, mix(warm, dark, 0.22)],
    ]),
    shade: hex(mix(warm, dark, 0.6)),
    light: hex(mix(palette.paper, palette.accent, 0.16)),
    eye: hex(palette.spark),
    ink: hex(mix(dark, palette.ink, 0.6)),
    accent: hex(palette.accent),
    rows: detail.rows,
  };
}

const halves: Readonly<Record<Creature, (coat: Coat) => string[]>> = {
  cat: (coat) => [
    ...sitting(coat),
    filled(coat.head, 'M.1-2.3L.52-2.86Q.72-2.5.66-2.02Z'),
    filled(coat.shade, 'M.3-2.3L.5-2.64Q.6-2.4.57-2.16Z'),
    roundHead(coat),
    ...muzzle(coat),
    ...eye(coat, { x: 0.3, y: -1.9, radius: 0.13 }),
    nose(coat, -1.62),
  ],
  fox: (coat) => [
    ...sitting(coat),
    filled(coat.head, 'M.12-2.24L.62-3.06Q.84-2.5.68-1.96Z'),
    filled(coat.shade, 'M.34-2.3L.59-2.78Q.7-2.42.6-2.12Z'),
    filled(coat.head, 'M-.01-2.4C.4-2.44.72-2.16.86-1.72C.6-1.66.3-1.42.1-1.2H-.01Z'),
    filled(coat.light, 'M-.01-1.62C.2-1.84.5-1.86.86-1.72C.6-1.64.3-1.42.1-1.2H-.01Z'),
    ...eye(coat, { x: 0.31, y: -1.9, radius: 0.105 }),
    filled(coat.ink, 'M-.01-1.32C.08-1.32.13-1.28.12-1.23Q.08-1.15-.01-1.14Z'),
  ],
  owl: (coat) => [
    filled(coat.body, 'M-.01 0H.42C.98-.3 1-1.3.84-1.86C.7-2.3.3-2.46-.01-2.46Z'),
    filled(coat.shade, 'M.56-.2C1.06-.5 1.06-1.4.82-1.82C.92-1.2.72-.6.56-.2Z'),
    filled(
      coat.head,
      'M-.01-2.3C.3-2.34.5-2.4.86-2.78C.9-2.3.92-1.9.8-1.66C.6-1.3.2-1.34-.01-1.36Z',
    ),
    ...chest(coat),
    `<circle cx=".37" cy="-1.86" r=".36" fill="${coat.light}"/>`,
    ...eye(coat, { x: 0.35, y: -1.86, radius: 0.23 }),
    filled(coat.eye, 'M-.01-1.78L.12-1.7L.01-1.4H-.01Z'),
  ],
  bear: (coat) => [
    ...sitting(coat),
    `<circle cx=".56" cy="-2.3" r=".24" fill="${coat.head}"/>`,
    `<circle cx=".56" cy="-2.28" r=".12" fill="${coat.shade}"/>`,
    roundHead(coat),
    filled(coat.light, 'M-.01-1.85C.2-1.85.33-1.74.33-1.6C.33-1.46.2-1.35-.01-1.35Z'),
    ...eye(coat, { x: 0.31, y: -1.9, radius: 0.085 }),
    filled(coat.ink, 'M-.01-1.76C.1-1.76.17-1.72.15-1.66Q.08-1.58-.01-1.56Z'),
  ],
  rabbit: (coat) => [
    ...sitting(coat),
    filled(coat.head, 'M.1-2.2C.08-2.9.2-3.5.38-3.5C.6-3.5.6-2.8.46-2.14Z'),
    filled(coat.shade, 'M.22-2.3C.2-2.8.28-3.28.37-3.28C.48-3.28.47-2.8.39-2.3Z'),
    roundHead(coat),
    ...muzzle(coat),
    ...eye(coat, { x: 0.33, y: -1.9, radius: 0.11 }),
    nose(coat, -1.62),
  ],
  deer: (coat) => [
    line(coat.shade, 0.09, 'M.22-2.2C.26-2.6.5-2.7.62-3.02C.7-3.24.66-3.4.6-3.54'),
    line(coat.shade, 0.08, 'M.4-2.66C.34-2.86.3-2.98.24-3.1M.6-2.98C.8-3.06.92-3.2.98-3.36'),
    ...sitting(coat),
    filled(coat.shade, 'M.5-2.1C.8-2.36 1.06-2.3 1.16-2.2C1.04-1.98.8-1.84.56-1.88Z'),
    filled(coat.head, 'M-.01-2.36C.34-2.38.6-2.16.56-1.86C.52-1.56.36-1.22-.01-1.16Z'),
    filled(coat.light, 'M-.01-1.56C.14-1.56.26-1.46.25-1.34Q.2-1.2-.01-1.16Z'),
    ...eye(coat, { x: 0.33, y: -1.82, radius: 0.095 }),
    nose(coat, -1.46),
  ],
  moth: (coat) => [
    filled(
      coat.head,
      'M.02-1.95C.5-2.85 1.5-3.35 2.16-3.05C2.4-2.55 1.9-1.65.9-1.47C.5-1.43.2-1.55.02-1.65Z',
    ),
    filled(
      coat.body,
      'M.02-1.65C.5-1.75 1.3-1.65 1.5-1.15C1.5-.65 1-.45.7-.61C.3-.85.1-1.15.02-1.35Z',
    ),
    ...wingMarks(coat),
    line(coat.ink, 0.05, 'M.05-2.31C.1-2.75.3-2.95.52-3.05'),
    filled(coat.ink, 'M-.01-2.37C.16-2.37.16-2.11.12-1.95C.2-1.65.16-.95-.01-.65Z'),
  ],
  whale: (coat) => [
    filled(
      coat.body,
      'M-.01.3H.42C.36-.4.22-.8.2-1.16C.5-1.3 1.1-1.36 1.76-1.94C1.8-2.02 1.74-2.06 1.66-2.04C1.1-1.98.4-2.02-.01-1.62Z',
    ),
    filled(coat.shade, 'M.2-1.16C.5-1.3 1.1-1.36 1.76-1.94C1.2-1.62.6-1.5.1-1.38Z'),
    ...splashes(coat),
  ],
};

/** The egg-shaped body all sitting creatures share, with its chest and paws. */
function sitting(coat: Coat): string[] {
  return [
    filled(coat.body, 'M-.01 0H.5C.98-.06 1-.62.82-1.02C.72-1.26.58-1.5.44-1.72H-.01Z'),
    ...chest(coat),
    filled(coat.shade, 'M.08.03C.06-.2.36-.22.4.03Z'),
    filled(coat.shade, 'M.52.03C.5-.3.96-.34.98.03Z'),
  ];
}

function roundHead(coat: Coat): string {
  return filled(coat.head, 'M-.01-2.38C.42-2.4.76-2.16.8-1.84C.82-1.54.5-1.34-.01-1.32Z');
}

/** A light bib with rows of small scales. */
function chest(coat: Coat): string[] {
  const bib = filled(coat.light, 'M-.01-1.4C.34-1.36.44-1 .4-.7C.36-.44.16-.28-.01-.26Z');
  let scales = '';
  for (let row = 0; row < coat.rows; row++) {
    const y = -1.14 + (row * 0.68) / Math.max(1, coat.rows - 1);
    // Even rows have a scale in the middle, odd rows one on each side of it.
    for (let x = (row % 2) * 0.08; x < 0.3 - Math.abs(y + 0.85) * 0.3; x += 0.16) {
      scales += `M${num(x - 0.06)} ${num(y)}q.06 .09 .12 0`;
    }
  }
  return scales === '' ? [bib] : [bib, line(coat.accent, 0.03, scales)];
}

function eye(coat: Coat, at: { x: number; y: number; radius: number }): string[] {
  const centre = `cx="${at.x}" cy="${at.y}"`;
  const glint = `cx="${num(at.x - at.radius * 0.2)}" cy="${num(at.y - at.radius * 0.3)}"`;
  return [
    `<circle ${centre} r="${at.radius}" fill="${coat.eye}"/>`,
    `<circle ${centre} r="${num(at.radius * 0.64)}" fill="${coat.ink}"/>`,
    `<circle ${glint} r="${num(at.radius * 0.2)}" fill="#fff"/>`,
  ];
}

function nose(coat: Coat, y: number): string {
  return filled(coat.ink, `M-.01 ${y}H.09Q.08 ${num(y + 0.08)}-.01 ${num(y + 0.12)}Z`);
}

function muzzle(coat: Coat): string[] {
  return [
    filled(coat.light, 'M-.01-1.7C.22-1.72.34-1.6.32-1.48Q.2-1.36-.01-1.34Z'),
    line(coat.light, 0.024, 'M.38-1.6L.98-1.7M.38-1.52L.96-1.48'),
  ];
}

function wingMarks(coat: Coat): string[] {
  let arcs = '';
  for (let row = 0; row < coat.rows; row++) {
    const reach = 0.5 + row * 0.2;
    arcs += `M${num(reach * 0.3)} ${num(-1.95 - reach * 0.32)}Q${num(reach)}-1.95 ${num(reach * 0.62)}-1.53`;
  }
  return [
    ...(arcs === '' ? [] : [line(coat.light, 0.026, arcs)]),
    `<circle cx="1.5" cy="-2.47" r=".3" fill="${coat.light}"/>`,
    `<circle cx="1.5" cy="-2.47" r=".16" fill="${coat.ink}"/>`,
    `<circle cx=".86" cy="-1.09" r=".17" fill="${coat.light}"/>`,
  ];
}

/** Spray around the fluke, more of it with more detail. */
function splashes(coat: Coat): string[] {
  let drops = '';
  for (let i = 0; i < coat.rows; i++) {
    drops += `M${num(0.5 + i * 0.16)} ${num(0.02 + i * 0.03)}q.08-.24 .2-.05`;
  }
  return drops === '' ? [] : [line(coat.light, 0.045, drops)];
}

function filled(paint: string, path: string): string {
  return `<path fill="${paint}" d="${path}"/>`;
}

function line(paint: string, width: number, path: string): string {
  return `<path fill="none" stroke="${paint}" stroke-width="${width}" stroke-linecap="round" d="${path}"/>`;
}
