import { expect, test } from 'vitest';
import { moodOf } from './mood.ts';

test.each([
  ['a night in the forest', { light: 'night', terrain: 'forest' }],
  ['Sunset over the SEA', { light: 'dusk', terrain: 'sea', creature: 'whale' }],
  ['snow on the mountains', { weather: 'snow', terrain: 'mountains' }],
  ['foxes in the desert at dawn', { creature: 'fox', terrain: 'desert', light: 'dawn' }],
  ['a city in the rain', { terrain: 'city', weather: 'rain' }],
  ['green hills and a red sun', { hue: 148, accentHue: 25, terrain: 'hills' }],
] as const)('reads "%s"', (prompt, mood) => {
  expect(moodOf(prompt, 'seed')).toMatchObject(mood);
});

test('leaves to the seed what the words leave open', () => {
  const moods = Array.from({ length: 40 }, (_, i) => moodOf('something', `seed ${i}`));
  expect(new Set(moods.map(({ terrain }) => terrain)).size).toBeGreaterThan(4);
  expect(new Set(moods.map(({ light }) => light)).size).toBe(4);
  expect(moodOf('constructor toString', 'seed')).toEqual(moodOf('something', 'seed'));
});
