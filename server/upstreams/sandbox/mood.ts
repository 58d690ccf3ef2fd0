import { randomFor, type Seed } from './seeded-random.ts';

export type Light = 'day' | 'dawn' | 'dusk' | 'night';
export type Terrain = 'hills' | 'mountains' | 'forest' | 'sea' | 'city' | 'desert';
export type Weather = 'clear' | 'snow' | 'rain';
export type Creature = 'cat' | 'fox' | 'owl' | 'bear' | 'rabbit' | 'deer' | 'moth' | 'whale';

/** What a picture is to show: the few choices everything drawn follows from. */
export interface Mood {
  light: Light;
  terrain: Terrain;
  weather: Weather;
  creature: Creature;
  /** OKLCH degrees: the sky and land, and what stands out from them. */
  hue: number;
  accentHue: number;
  /** Multiplies every chroma: 0 is grey, 1 as designed. */
  vividness: number;
}

/** Reads the mood off the prompt's words; what they leave open follows from the seed. */
export function moodOf(prompt: string, seed: Seed): Mood {
  const words = wordsOf(prompt);
  const random = randomFor(seed, 'mood');
  const light =
    firstOf(words, lightWords) ??
    random.pick<Light>('day', 'dawn', 'dusk', 'dusk', 'night', 'night');
  const [hue, accentHue] = random.pick(...huePairs[light]);
  const terrain = random.pick<Terrain>('hills', 'mountains', 'forest', 'sea', 'city', 'desert');
  const creature = random.pick<Creature>('cat', 'fox', 'owl', 'bear', 'rabbit', 'deer', 'moth');
  const weather = firstOf(words, weatherWords) ?? 'clear';
  const chosenTerrain = firstOf(words, terrainWords) ?? terrain;
  const colours = words.flatMap((word) => colourWords.get(word) ?? []);
  return {
    light,
    terrain: chosenTerrain,
    weather,
    creature: firstOf(words, creatureWords) ?? (chosenTerrain === 'sea' ? 'whale' : creature),
    hue: colours[0] ?? hue,
    accentHue: colours[1] ?? accentHue,
    vividness: words.some((word) => greyWords.has(word)) ? 0.12 : 1,
  };
}

type HuePair = readonly [sky: number, accent: number];

/** Hues that go well together, for each light, for prompts that name no colour. */
const huePairs: Readonly<Record<Light, readonly [HuePair, ...HuePair[]]>> = {
  day: [
    [245, 45],
    [215, 35],
    [185, 50],
    [160, 60],
    [230, 20],
    [60, 30],
  ],
  dawn: [
    [240, 40],
    [285, 30],
    [200, 55],
    [330, 45],
    [170, 30],
  ],
  dusk: [
    [285, 50],
    [310, 60],
    [15, 55],
    [255, 40],
    [340, 65],
  ],
  night: [
    [265, 55],
    [250, 65],
    [290, 40],
    [235, 35],
    [180, 60],
  ],
};

const lightWords = lexicon<Light>({
  day: 'day noon sunny daylight bright summer',
  dawn: 'dawn sunrise morning spring pastel',
  dusk: 'dusk sunset evening twilight autumn golden',
  night: 'night midnight moon moonlight moonlit star starry dark',
});

const terrainWords = lexicon<Terrain>({
  hills: 'hill meadow field garden valley farm',
  mountains: 'mountain alps peak volcano cliff',
  forest: 'forest wood tree jungle pine',
  sea: 'sea ocean beach wave lake water harbour harbor ship boat island',
  city: 'city cities town street skyline building tower house village',
  desert: 'desert dune sand canyon cactus',
});

const weatherWords = lexicon<Exclude<Weather, 'clear'>>({
  snow: 'snow snowy winter ice frozen christmas',
  rain: 'rain rainy storm stormy',
});

const creatureWords = lexicon<Creature>({
  cat: 'cat kitten tiger lion',
  fox: 'fox foxes dog wolf wolves',
  owl: 'owl bird',
  bear: 'bear panda otter',
  rabbit: 'rabbit bunny hare',
  deer: 'deer stag reindeer',
  moth: 'moth butterfly butterflies dragon',
  whale: 'whale fish dolphin',
});

/** Hues in OKLCH degrees. */
const colourWords = new Map<string, number>([
  ['red', 25],
  ['orange', 55],
  ['amber', 70],
  ['gold', 88],
  ['yellow', 100],
  ['olive', 120],
  ['green', 148],
  ['emerald', 160],
  ['teal', 192],
  ['turquoise', 197],
  ['cyan', 205],
  ['blue', 250],
  ['navy', 262],
  ['indigo', 278],
  ['violet', 295],
  ['purple', 305],
  ['magenta', 330],
  ['pink', 355],
  ['rose', 8],
  ['copper', 50],
  ['brown', 60],
]);

const greyWords = new Set(['grey', 'gray', 'monochrome', 'silver', 'charcoal']);

/** Turns lists of words by meaning into meanings by word. */
function lexicon<T extends string>(words: Readonly<Record<T, string>>): Map<string, T> {
  const meanings = Object.keys(words) as T[]; // Object.keys widens to string.
  return new Map(
    meanings.flatMap((meaning) =>
      words[meaning].split(' ').map((word) => [word, meaning] as const),
    ),
  );
}

function wordsOf(prompt: string): string[] {
  return prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** What the first known word means; a plural counts as its word. */
function firstOf<T>(words: readonly string[], meanings: ReadonlyMap<string, T>): T | null {
  for (const word of words) {
    const meaning = meanings.get(word) ?? meanings.get(word.replace(/s$/, ''));
    if (meaning !== undefined) return meaning;
  }
  return null;
}
