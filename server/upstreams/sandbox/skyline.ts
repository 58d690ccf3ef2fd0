import { hex } from './colour.ts';
import type { Random } from './seeded-random.ts';
import { num } from './sheet.ts';
import type { Layer, Stage } from './stage.ts';

/** Blocks of houses; the nearer they are, the more of their windows can be seen. */
export function drawSkyline(stage: Stage, layer: Layer): void {
  const { sheet, width, height, unit, mood, palette, detail } = stage;
  const { random, nearness, level } = layer;
  const size = 0.5 + 0.6 * nearness;
  let blocks = '';
  let windows = '';
  const litShare = mood.light === 'day' ? 0.25 : 0.55;
  for (let x = -unit * 30; x < width; ) {
    const wide = unit * size * random.between(60, 130);
    const tall = unit * size * random.between(90, 330) * (1 - 0.3 * nearness);
    const top = level - tall;
    blocks += `M${num(x)} ${num(top)}h${num(wide)}v${num(height - top)}h${num(-wide)}z`;
    blocks += rooftop(random, { x, top, wide });
    const pitch = unit * size * 21;
    const columns = Math.floor((wide - pitch * 0.6) / pitch);
    const margin = (wide - columns * pitch) / 2;
    for (let row = 0; row < Math.min(16, (tall / pitch) * 0.95); row++) {
      for (let column = 0; column < columns; column++) {
        if (random.next() > litShare * (0.45 + detail.ornament * 0.55)) continue;
        const wx = x + margin + (column + 0.27) * pitch;
        windows += `M${num(wx)} ${num(top + (row + 0.55) * pitch)}h${num(pitch * 0.46)}v${num(pitch * 0.56)}h${num(-pitch * 0.46)}z`;
      }
    }
    x += wide + unit * size * random.pick(0, 0, 0, 10);
  }
  sheet.add(`<path fill="${layer.fill}" d="${blocks}"/>`);
  const opacity = (mood.light === 'day' ? 0.45 : 0.85) * (0.25 + 0.75 * nearness);
  sheet.add(`<path fill="${hex(palette.spark)}" fill-opacity="${num(opacity)}" d="${windows}"/>`);
}

function rooftop(random: Random, roof: { x: number; top: number; wide: number }): string {
  const { x, top, wide } = roof;
  const mast = wide * 0.03;
  switch (random.pick('flat', 'flat', 'mast', 'step', 'gable')) {
    case 'mast':
      return `M${num(x + wide / 2)} ${num(top + 1)}v${num(-wide * 0.6)}h${num(mast)}v${num(wide * 0.6)}z`;
    case 'step':
      return `M${num(x + wide * 0.2)} ${num(top + 1)}v${num(-wide * 0.26)}h${num(wide * 0.6)}v${num(wide * 0.26)}z`;
    case 'gable':
      return `M${num(x)} ${num(top + 1)}l${num(wide / 2)} ${num(-wide * 0.38)}l${num(wide / 2)} ${num(wide * 0.38)}z`;
    default:
      return '';
  }
}
