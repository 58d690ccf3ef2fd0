import { type Colour, mix, oklch } from './colour.ts';
import type { Light, Mood } from './mood.ts';

/** Every colour of one picture. */
export interface Palette {
  skyTop: Colour;
  skyMiddle: Colour;
  horizon: Colour;
  /** The sun or moon, and the light around it. */
  disc: Colour;
  glow: Colour;
  farLand: Colour;
  nearLand: Colour;
  /** Small bright things: windows, eyes, sparks. */
  spark: Colour;
  accent: Colour;
  ink: Colour;
  paper: Colour;
}

/** One colour of a light's recipe: lightness, chroma, degrees away from the mood's hue. */
type Recipe = readonly [lightness: number, chroma: number, turn: number];

interface LightRecipe {
  skyTop: Recipe;
  skyMiddle: Recipe;
  horizon: Recipe;
  farLand: Recipe;
  nearLand: Recipe;
  /** How far the horizon leans towards the accent hue. */
  warmth: number;
}

const lights: Readonly<Record<Light, LightRecipe>> = {
  day: {
    skyTop: [0.7, 0.105, 0],
    skyMiddle: [0.82, 0.075, -6],
    horizon: [0.95, 0.035, -14],
    farLand: [0.76, 0.07, 8],
    nearLand: [0.3, 0.07, 22],
    warmth: 0.45,
  },
  dawn: {
    skyTop: [0.64, 0.085, 6],
    skyMiddle: [0.8, 0.075, 30],
    horizon: [0.94, 0.06, 50],
    farLand: [0.74, 0.075, 20],
    nearLand: [0.29, 0.075, 10],
    warmth: 0.6,
  },
  dusk: {
    skyTop: [0.36, 0.1, 14],
    skyMiddle: [0.58, 0.14, 40],
    horizon: [0.85, 0.13, 70],
    farLand: [0.6, 0.12, 40],
    nearLand: [0.19, 0.06, 10],
    warmth: 0.75,
  },
  night: {
    skyTop: [0.17, 0.055, 10],
    skyMiddle: [0.29, 0.085, 4],
    horizon: [0.52, 0.1, -10],
    farLand: [0.42, 0.085, -4],
    nearLand: [0.12, 0.035, 6],
    warmth: 0.15,
  },
};

export function paletteOf(mood: Mood): Palette {
  const light = lights[mood.light];
  // Yellow skies turn towards red: the other way lies green.
  const direction = mood.hue > 40 && mood.hue < 130 ? -0.6 : 1;
  const colour = ([lightness, chroma, turn]: Recipe) =>
    shade(lightness, chroma * mood.vividness, mood.hue + turn * direction);
  const accent = (lightness: number, chroma: number) =>
    shade(lightness, chroma * mood.vividness, mood.accentHue);
  const isSnowy = mood.weather === 'snow';
  const snow = oklch(mood.light === 'night' ? 0.78 : 0.95, 0.02 * mood.vividness, mood.hue);
  const horizonGlow = accent(light.horizon[0], light.horizon[1] + 0.03);
  return {
    skyTop: colour(light.skyTop),
    skyMiddle: mix(colour(light.skyMiddle), accent(light.skyMiddle[0], 0.12), light.warmth * 0.4),
    horizon: mix(colour(light.horizon), horizonGlow, light.warmth),
    disc: accent(0.965, 0.05),
    glow: accent(mood.light === 'night' ? 0.8 : 0.93, 0.11),
    farLand: mix(colour(light.farLand), snow, isSnowy ? 0.45 : 0),
    nearLand: mix(colour(light.nearLand), snow, isSnowy ? 0.12 : 0),
    spark: accent(0.88, 0.14),
    accent: accent(0.7, 0.17),
    ink: oklch(0.2, 0.03 * mood.vividness, mood.hue),
    paper: oklch(0.97, 0.012 * mood.vividness, mood.accentHue),
  };
}

/** A dark yellow looks like mud, so yellows turn to amber and rust as they darken. */
function shade(lightness: number, chroma: number, hue: number): Colour {
  const yellowness = Math.max(0, 1 - Math.abs(hue - 95) / 45);
  return oklch(lightness, chroma, hue - yellowness * Math.max(0, 0.9 - lightness) * 75);
}
