import { hex, lighten, mix } from './colour.ts';
import type { Terrain } from './mood.ts';
import { num, type Point, polygon, polyline } from './sheet.ts';
import { drawSkyline } from './skyline.ts';
import type { Layer, Stage } from './stage.ts';

/** Where the horizon lies, as a share of the height. */
const horizon = 0.54;
const nearestLevel = 0.9;

/**
 * Draws the land from far to near and the creature behind the nearest layer, so that it stands in
 * the landscape. Returns the height of the ground.
 */
export function drawLand(stage: Stage, drawCreatureAt: (x: number, y: number) => void): number {
  const { height, width, detail, mood, palette, random } = stage;
  const standing = random('standing');
  const count = detail.layers;
  const ground = height * nearestLevel;
  for (let i = 0; i < count; i++) {
    const nearness = i / (count - 1);
    if (i === count - 1) {
      const away = stage.disc.x > width / 2 ? -1 : 1;
      drawCreatureAt(width * (0.5 + away * standing.between(0.02, 0.12)), ground + stage.unit * 22);
    }
    const colour = mix(palette.farLand, palette.nearLand, nearness ** 0.85);
    const level = height * (horizon + (nearestLevel - horizon) * nearness ** 1.15);
    const mist = mix(colour, palette.horizon, 0.42 * (1 - nearness));
    drawLayer(stage, mood.terrain, {
      level,
      nearness,
      colour,
      fill: stage.sheet.verticalGradient([
        [0, lighten(colour, 0.015)],
        [1, mist],
      ]),
      // Counted from the front, so that more layers add distance and leave the nearest alone.
      random: random(`layer ${count - 1 - i}`),
    });
  }
  return ground;
}

function drawLayer(stage: Stage, terrain: Terrain, layer: Layer): void {
  // The nearest layer of most lands is a quiet rise for the creature to stand behind.
  const isForeground = layer.nearness === 1;
  if (isForeground && terrain !== 'sea') return drawForeground(stage, layer);
  switch (terrain) {
    case 'hills':
      return drawHills(stage, layer, 1);
    case 'mountains':
      return layer.nearness > 0.7 ? drawTrees(stage, layer) : drawMountains(stage, layer);
    case 'forest':
      return drawTrees(stage, layer);
    case 'sea':
      return drawWaves(stage, layer);
    case 'city':
      return drawSkyline(stage, layer);
    case 'desert':
      return layer.nearness < 0.2 ? drawMesas(stage, layer) : drawDunes(stage, layer);
  }
}

function drawHills(stage: Stage, layer: Layer, roughness: number): void {
  const line = rollingLine(stage, layer, roughness);
  stage.sheet.add(`<path fill="${layer.fill}" d="${landBelow(stage, line)}"/>`);
}

/** A rise with blades of grass along its edge, lit from the sky. */
function drawForeground(stage: Stage, layer: Layer): void {
  const { sheet, unit, detail, mood, palette } = stage;
  const line = rollingLine(stage, layer, 0.35);
  sheet.add(`<path fill="${layer.fill}" d="${landBelow(stage, line)}"/>`);
  if (mood.terrain === 'city' || mood.terrain === 'desert') return;
  let blades = '';
  const step = Math.max(1, Math.round(5 - detail.ornament * 4));
  for (let i = 0; i < line.length; i += step) {
    const [x, y] = line[i] ?? [0, 0];
    const tall = unit * layer.random.between(10, 38);
    const lean = unit * layer.random.between(-14, 14);
    blades += `M${num(x - unit * 2.4)} ${num(y + unit * 4)}q${num(lean * 0.2)} ${num(-tall * 0.6)} ${num(lean)} ${num(-tall)}q${num(-lean * 0.3 + unit * 2)} ${num(tall * 0.5)} ${num(unit * 4.8 - lean)} ${num(tall)}z`;
  }
  sheet.add(`<path fill="${hex(lighten(layer.colour, 0.015))}" d="${blades}"/>`);
  if (mood.weather === 'snow') {
    const drift = line.map(([x, y]): Point => [x, y + unit * 6]);
    sheet.add(
      `<path fill="${hex(mix(palette.paper, palette.farLand, 0.3))}" fill-opacity="0.9" d="${landBelow(stage, drift)}"/>`,
    );
  }
}

/** Peaks, each with a lit flank on the side of the disc and a cap of snow. */
function drawMountains(stage: Stage, layer: Layer): void {
  const { sheet, width, height, unit, disc, palette } = stage;
  const { random, level } = layer;
  const spacing = unit * (300 - 90 * layer.nearness);
  const tallest = height * (0.27 - 0.12 * layer.nearness);
  let rock = '';
  let flanks = '';
  let caps = '';
  for (
    let x = -spacing * random.next();
    x < width + spacing;
    x += spacing * random.between(0.6, 1.1)
  ) {
    const rise = tallest * random.between(0.45, 1);
    const reach = rise * random.between(0.85, 1.15);
    const peak: Point = [x, level - rise];
    const foot = level + height * 0.12;
    const toLight = disc.x > x ? 1 : -1;
    const slope = (share: number, side: number, jut: number): Point => [
      x + side * reach * share * 1.35 + jut,
      level - rise + (foot - level + rise) * share,
    ];
    rock += polygon([
      peak,
      slope(0.3, 1, unit * 6),
      slope(1, 1, 0),
      slope(1, -1, 0),
      slope(0.3, -1, -unit * 6),
    ]);
    const crease = [0.22, 0.4, 0.62, 1].map((share, i): Point => {
      const [cx, cy] = slope(share, 0, 0);
      return [cx + unit * (i % 2 === 0 ? -1 : 1) * random.between(4, 16) * (share + 0.3), cy];
    });
    flanks += polygon([
      peak,
      ...crease,
      slope(1, toLight, 0),
      slope(0.3, toLight, toLight * unit * 6),
    ]);
    const snowline = random.between(0.2, 0.27);
    const zigzag = [0.66, 0.33, 0, -0.33, -0.66].map((side, i): Point => {
      const [sx] = slope(snowline, side, 0);
      return [
        sx,
        level - rise + (foot - level + rise) * (snowline + (i % 2 === 0 ? 0.045 : -0.035)),
      ];
    });
    caps += polygon([
      peak,
      slope(snowline, 1, unit * 3),
      ...zigzag,
      slope(snowline, -1, -unit * 3),
    ]);
  }
  sheet.add(`<path fill="${layer.fill}" d="${rock}"/>`);
  const lit = hex(mix(lighten(layer.colour, 0.06), palette.glow, 0.3));
  sheet.add(`<path fill="${lit}" fill-opacity="0.55" d="${flanks}"/>`);
  const snow = hex(mix(palette.paper, layer.colour, 0.22));
  sheet.add(`<path fill="${snow}" fill-opacity="0.85" d="${caps}"/>`);
  const base = rollingLine(stage, { ...layer, level: level + height * 0.05 }, 0.5);
  sheet.add(`<path fill="${layer.fill}" d="${landBelow(stage, base)}"/>`);
}

/** A rise covered with conifers. */
function drawTrees(stage: Stage, layer: Layer): void {
  const { sheet, unit, width } = stage;
  const line = rollingLine(stage, layer, 0.8);
  const size = 0.42 + 0.75 * layer.nearness;
  let trees = '';
  for (let x = -unit * 20; x < width + unit * 20; x += unit * size * layer.random.between(20, 46)) {
    const tall = unit * size * layer.random.between(70, 165);
    trees += conifer(
      x,
      heightAt(line, x) + unit * 6,
      tall,
      tall * layer.random.between(0.17, 0.24),
    );
  }
  sheet.add(`<path fill="${hex(lighten(layer.colour, 0.012))}" d="${trees}"/>`);
  sheet.add(`<path fill="${layer.fill}" d="${landBelow(stage, line)}"/>`);
}

function conifer(x: number, foot: number, tall: number, spread: number): string {
  const tiers = 4;
  const right: Point[] = [];
  for (let i = 1; i <= tiers; i++) {
    const y = foot - tall + (tall * i) / tiers;
    right.push([x + (spread * i) / tiers, y]);
    if (i < tiers) right.push([x + (spread * i * 0.5) / tiers, y - tall * 0.012]);
  }
  const left = right.map(([rx, y]): Point => [2 * x - rx, y]).reverse();
  return polygon([[x, foot - tall], ...right, ...left]);
}

/** A band of water with a crest of light, and a path of glints below the disc. */
function drawWaves(stage: Stage, layer: Layer): void {
  const { sheet, width, unit, palette, detail, disc, height } = stage;
  const { nearness, random } = layer;
  const swell = unit * (1.5 + 20 * nearness);
  const length = unit * (90 + 190 * nearness);
  const phase = random.between(0, Math.PI * 2);
  const line = samples(width, unit * 4).map((x): Point => {
    const angle = (x / length) * Math.PI * 2 + phase;
    const crest = Math.abs(Math.sin(angle / 2)) ** 1.4;
    return [x, layer.level + swell * (crest * 1.6 - 1) + swell * 0.3 * Math.sin(angle * 0.31)];
  });
  sheet.add(`<path fill="${layer.fill}" d="${landBelow(stage, line)}"/>`);
  const pen = `fill="none" stroke="${hex(mix(palette.paper, layer.colour, 0.35))}" stroke-linecap="round"`;
  sheet.add(
    `<path ${pen} stroke-width="${num(unit * (1 + 2.2 * nearness))}" stroke-opacity="0.55" d="${polyline(line)}"/>`,
  );
  let glints = '';
  const span = (height * (nearestLevel - horizon)) / detail.layers;
  for (let i = 0; i < 6 + detail.ornament * 12; i++) {
    const y = layer.level + swell + random.next() * span;
    const reach = disc.radius * (0.35 + 0.5 * nearness);
    const half = unit * random.between(5, 30) * (0.5 + nearness);
    glints += `M${num(disc.x + random.between(-reach, reach) - half)} ${num(y)}h${num(2 * half)}`;
  }
  const glint = `fill="none" stroke="${hex(palette.glow)}" stroke-linecap="round"`;
  sheet.add(
    `<path ${glint} stroke-width="${num(unit * (1.6 + 2 * nearness))}" stroke-opacity="${num(0.75 - 0.4 * nearness)}" d="${glints}"/>`,
  );
}

/** Flat-topped rocks on the horizon. */
function drawMesas(stage: Stage, layer: Layer): void {
  const { sheet, width, unit, height } = stage;
  const { random, level } = layer;
  let path = '';
  for (let x = unit * random.between(-60, 160); x < width; x += unit * random.between(260, 460)) {
    const wide = unit * random.between(90, 230);
    const tall = unit * random.between(70, 170);
    const slope = tall * 0.3;
    path += polygon([
      [x - slope, level + unit * 40],
      [x - slope * 0.4, level - tall * 0.45],
      [x, level - tall * 0.5],
      [x + slope * 0.15, level - tall],
      [x + wide - slope * 0.15, level - tall],
      [x + wide, level - tall * 0.5],
      [x + wide + slope * 0.4, level - tall * 0.45],
      [x + wide + slope, level + unit * 40],
    ]);
  }
  sheet.add(`<path fill="${layer.fill}" d="${path}M0 ${num(level)}H${width}V${height}H0z"/>`);
}

/** Dunes with a bright windward and a dark lee side. */
function drawDunes(stage: Stage, layer: Layer): void {
  const { sheet, unit, width, height, palette } = stage;
  const { random, level, nearness } = layer;
  const line = rollingLine(stage, layer, 0.7);
  sheet.add(`<path fill="${layer.fill}" d="${landBelow(stage, line)}"/>`);
  const bright = hex(mix(lighten(layer.colour, 0.06), palette.glow, 0.22));
  for (let x = unit * random.between(0, 200); x < width; x += unit * random.between(330, 560)) {
    const top = heightAt(line, x) - unit * (20 + 30 * nearness);
    const reach = unit * random.between(200, 340);
    const foot = level + unit * (70 + 50 * nearness);
    const crest = `M${num(x)} ${num(top)}`;
    sheet.add(
      `<path fill="${layer.fill}" d="${crest}C${num(x + reach * 0.2)} ${num(top + unit * 6)} ${num(x + reach * 0.6)} ${num(foot)} ${num(x + reach)} ${num(foot)}L${num(x + reach)} ${height}H${num(x - reach)}V${num(foot)}C${num(x - reach * 0.5)} ${num(foot - unit * 8)} ${num(x - reach * 0.35)} ${num(top + unit * 8)} ${num(x)} ${num(top)}z"/>`,
    );
    sheet.add(
      `<path fill="${bright}" fill-opacity="0.32" d="${crest}C${num(x - reach * 0.35)} ${num(top + unit * 8)} ${num(x - reach * 0.5)} ${num(foot - unit * 8)} ${num(x - reach)} ${num(foot)}C${num(x - reach * 0.3)} ${num(foot + unit * 20)} ${num(x + unit * 40)} ${num(foot - unit * 20)} ${num(x)} ${num(top)}z"/>`,
    );
  }
}

/** A gentle line across the picture made of three waves. */
function rollingLine(stage: Stage, layer: Layer, roughness: number): Point[] {
  const { width, unit } = stage;
  const { random, level, nearness } = layer;
  const rise = unit * (54 - 16 * nearness) * roughness;
  const waves = [1, 2.3, 4.9].map((frequency) => ({
    frequency: (frequency * random.between(0.75, 1.3)) / (unit * 1000),
    phase: random.between(0, 2 * Math.PI),
    share: 1 / frequency ** 0.9,
  }));
  return samples(width, unit * 7).map((x): Point => {
    const lift = waves.reduce(
      (total, wave) => total + wave.share * Math.sin(2 * Math.PI * x * wave.frequency + wave.phase),
      0,
    );
    return [x, level - rise * lift];
  });
}

function samples(width: number, step: number): number[] {
  const spacing = Math.max(1, step);
  return Array.from({ length: Math.ceil(width / spacing) + 1 }, (_, i) => i * spacing);
}

function heightAt(line: readonly Point[], x: number): number {
  const share = x / (line.at(-1)?.[0] || 1);
  const index = Math.min(line.length - 1, Math.max(0, Math.round(share * (line.length - 1))));
  return line[index]?.[1] ?? 0;
}

function landBelow({ width, height }: Stage, line: readonly Point[]): string {
  const right = Math.max(width, line.at(-1)?.[0] ?? width);
  return polygon([...line, [right, height], [0, height]]);
}
