import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const names = ['TINTYPE_PORT', 'TINTYPE_HOST', 'TINTYPE_DATA_DIR'];

it.each([
  ['TINTYPE_PRT', 'TINTYPE_PORT'],
  ['TINTYPE_PROT', 'TINTYPE_PORT'],
  ['TINTYPE_DATADIR', 'TINTYPE_DATA_DIR'],
  ['TINTYPE_HOSTS', 'TINTYPE_HOST'],
])('finds what %s was meant to be', (text, expected) => {
  expect(nearest(text, names)).toBe(expected);
});

it('prefers an exact match', () => {
  expect(nearest('b', ['a', 'b'])).toBe('b');
});

it.each(['COMPLETELY_ELSE', 'TINTYPE_WALLPAPER_COLOUR'])('guesses nothing for %s', (text) => {
  expect(nearest(text, names)).toBeNull();
});
