import { hex, lighten, mix } from './colour.ts';
import { drawCreature } from './creature.ts';
import type { Detail } from './detail.ts';
import type { Mood } from './mood.ts';
import { paletteOf } from './palette.ts';
import { randomFor, type Seed } from './seeded-random.ts';
import { num, type Sheet } from './sheet.ts';
import type { Stage } from './stage.ts';
import { drawLand } from './terrain.ts';

export interface Scene {
  seed: Seed;
  mood: Mood;
  detail: Detail;
  /** False leaves out everything behind the land but the sun or moon. */
  hasSky: boolean;
}

const aspectMax = 4;

/** Draws the scene over `width` × `height` from the sheet's origin, back to front. */
export function drawScene(sheet: Sheet, scene: Scene, width: number, height: number): void {
  const random = (label: string) => randomFor(scene.seed, label);
  const detail = scene.detail;
  const composition = random('composition');
  const side = composition.pick(-1, 1);
  // A very long picture is drawn coarser, or it would hold millions of tiny trees.
  const unit = Math.max(Math.min(width, height), Math.max(width, height) / aspectMax) / 1000;
  const stage: Stage = {
    sheet,
    width,
    height,
    unit,
    mood: scene.mood,
    palette: paletteOf(scene.mood),
    detail,
    hasSky: scene.hasSky,
    disc: {
      x: width * (0.5 + side * composition.between(0.02, 0.16)),
      y: height * composition.between(0.33, 0.42),
      radius: 1000 * unit * composition.between(0.15, 0.2),
    },
    random,
  };
  if (scene.hasSky) {
    drawSky(stage);
    drawStars(stage);
  }
  const hasCloudsInFront = scene.mood.light !== 'night';
  if (scene.hasSky && !hasCloudsInFront) drawClouds(stage);
  drawDisc(stage);
  if (scene.hasSky && hasCloudsInFront) drawClouds(stage);
  drawBirds(stage);
  const footing = drawLand(stage, (x, y) => drawCreature(stage, x, y));
  drawWeather(stage, footing);
}

function drawSky({ sheet, width, height, palette }: Stage): void {
  const paint = sheet.verticalGradient(
    [
      [0, palette.skyTop],
      [0.5, palette.skyMiddle],
      [1, palette.horizon],
    ],
    0,
    height * 0.66,
  );
  sheet.add(`<path fill="${paint}" d="M0 0h${width}v${height}h${-width}z"/>`);
}

function drawStars({ sheet, width, height, unit, mood, palette, detail, random }: Stage): void {
  if (mood.light !== 'night' && mood.light !== 'dusk') return;
  const series = random('stars');
  const count = mood.light === 'night' ? detail.stars : detail.stars / 4;
  const byOpacity = new Map<string, string>();
  for (let i = 0; i < count; i++) {
    const x = series.next() * width;
    const y = series.next() ** 1.5 * height * 0.55;
    const radius = unit * (0.7 + 1.6 * series.next() ** 4);
    const opacity = num(Math.round((0.35 + 0.6 * series.next()) * 5) / 5);
    byOpacity.set(opacity, (byOpacity.get(opacity) ?? '') + dot(x, y, radius));
  }
  const fill = hex(palette.paper);
  for (const [opacity, path] of byOpacity) {
    sheet.add(`<path fill="${fill}" fill-opacity="${opacity}" d="${path}"/>`);
  }
}

/** The sun or moon: a wide glow, two thin rings of light, and the disc itself. */
function drawDisc({ sheet, unit, mood, palette, disc, detail, hasSky }: Stage): void {
  const { x, y, radius } = disc;
  const strength = { day: 0.6, dawn: 0.7, dusk: 0.75, night: 0.5 }[mood.light];
  // Without a sky the glow stays close, so that the rest of the picture is clear.
  const glowReach = hasSky ? 3.4 : 1.7;
  const glow = sheet.radialGradient([
    [0, palette.glow, strength],
    [0.35, palette.glow, strength * 0.5],
    [1, palette.glow, 0],
  ]);
  sheet.add(circle(x, y, radius * glowReach, `fill="${glow}"`));
  const ring = hex(palette.paper);
  for (let i = 1; i < detail.layers - 1; i++) {
    const ringRadius = radius * (1 + i * 0.28);
    const look = `fill="none" stroke="${ring}" stroke-width="${num(unit * 1.4)}" stroke-opacity="${num(0.34 / i)}"`;
    sheet.add(circle(x, y, ringRadius, look));
  }
  const face = sheet.verticalGradient([
    [0, palette.disc],
    [1, mix(palette.disc, palette.glow, mood.light === 'night' ? 0.45 : 0.75)],
  ]);
  sheet.add(circle(x, y, radius, `fill="${face}"`));
  if (mood.light === 'night') drawCraters({ sheet, palette, disc });
}

function drawCraters({ sheet, palette, disc }: Pick<Stage, 'sheet' | 'palette' | 'disc'>): void {
  const { x, y, radius } = disc;
  const craters = [
    [-0.35, -0.3, 0.2],
    [0.28, -0.48, 0.11],
    [0.42, 0.12, 0.16],
    [-0.1, 0.3, 0.13],
    [-0.52, 0.22, 0.08],
  ] as const;
  const path = craters.map(([dx, dy, r]) => dot(x + dx * radius, y + dy * radius, r * radius));
  sheet.add(`<path fill="${hex(palette.glow)}" fill-opacity="0.35" d="${path.join('')}"/>`);
}

/** Long flat clouds, each a stack of rounded bars. */
function drawClouds({ sheet, width, height, unit, mood, palette, random, detail }: Stage): void {
  const series = random('clouds');
  const colour = mood.light === 'night' ? lighten(palette.skyMiddle, 0.06) : palette.paper;
  for (let i = 0; i < detail.layers; i++) {
    const x = series.between(-0.05, 1.05) * width;
    const y = series.between(0.08, 0.5) * height;
    const length = unit * series.between(120, 300);
    const thickness = unit * series.between(11, 20);
    const bars = [
      [0, 0, 1],
      [0.28, -1, 0.5],
      [-0.18, 1, 0.62],
    ] as const;
    const path = bars.map(([dx, row, share]) =>
      pill(x + dx * length - (length * share) / 2, y + row * thickness, length * share, thickness),
    );
    const opacity = mood.light === 'night' ? 0.5 : series.between(0.22, 0.5);
    const look = `fill="${hex(colour)}" fill-opacity="${num(opacity)}"`;
    sheet.add(`<path ${look} d="${path.join('')}"/>`);
  }
}

function drawBirds({ sheet, width, height, unit, mood, palette, random, detail }: Stage): void {
  if (mood.light === 'night') return;
  const series = random('birds');
  const centre = { x: series.between(0.2, 0.8) * width, y: series.between(0.16, 0.3) * height };
  let path = '';
  for (let i = 0; i < Math.round(detail.ornament * 11); i++) {
    const x = centre.x + series.between(-130, 130) * unit;
    const y = centre.y + series.between(-60, 60) * unit;
    const span = unit * series.between(7, 14);
    path += `M${num(x - span)} ${num(y - span * 0.4)}q${num(span * 0.6)} ${num(-span * 0.35)} ${num(span)} ${num(span * 0.4)}q${num(span * 0.4)} ${num(-span * 0.75)} ${num(span)} ${num(-span * 0.4)}`;
  }
  const pen = `fill="none" stroke="${hex(mix(palette.ink, palette.skyMiddle, 0.35))}" stroke-width="${num(unit * 2.4)}" stroke-linecap="round"`;
  if (path !== '') sheet.add(`<path ${pen} d="${path}"/>`);
}

/** Snow, rain, or on clear days sparks drifting up from the ground. */
function drawWeather(stage: Stage, footing: number): void {
  const { sheet, width, height, unit, mood, palette, random, detail } = stage;
  const series = random('weather');
  const count = Math.round(detail.ornament * (mood.weather === 'clear' ? 46 : 420));
  const paths = ['', '', ''];
  for (let i = 0; i < count; i++) {
    const x = series.next() * width;
    const size = unit * (1.3 + 3.2 * series.next() ** 3);
    const depth = i % paths.length;
    const fall = series.next();
    if (mood.weather === 'rain') {
      const drop = unit * (14 + 14 * series.next());
      paths[depth] += `M${num(x)} ${num(fall * height)}l${num(-drop * 0.22)} ${num(drop)}`;
    } else {
      const y =
        mood.weather === 'snow' ? fall * height : footing - fall * height * 0.32 + unit * 60;
      paths[depth] += dot(x, y, mood.weather === 'snow' ? size * 1.25 : size * 0.8);
    }
  }
  const colour = hex(mood.weather === 'clear' ? palette.spark : palette.paper);
  paths.forEach((path, depth) => {
    if (path === '') return;
    const opacity = 0.35 + depth * 0.22;
    const look =
      mood.weather === 'rain'
        ? `fill="none" stroke="${colour}" stroke-width="${num(unit * 1.3)}" stroke-linecap="round" stroke-opacity="${num(opacity * 0.6)}"`
        : `fill="${colour}" fill-opacity="${num(opacity)}"`;
    sheet.add(`<path ${look} d="${path}"/>`);
  });
}

function circle(x: number, y: number, radius: number, look: string): string {
  return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(radius)}" ${look}/>`;
}

/** A filled circle as path data, so that many make one shape. */
function dot(x: number, y: number, radius: number): string {
  const r = num(radius);
  const across = num(2 * radius);
  return `M${num(x - radius)} ${num(y)}a${r} ${r} 0 1 1 ${across} 0a${r} ${r} 0 1 1 -${across} 0z`;
}

function pill(x: number, y: number, length: number, thickness: number): string {
  const r = num(thickness / 2);
  const straight = num(length - thickness);
  return `M${num(x + thickness / 2)} ${num(y)}h${straight}a${r} ${r} 0 0 1 0 ${num(thickness)}h-${straight}a${r} ${r} 0 0 1 0 ${num(-thickness)}z`;
}
