import { expect, it } from 'vitest';
import { beginningOf } from './beginning.ts';

it.each([
  ['a red fox', 20, 'a red fox'],
  ['a red fox', 5, 'a red'],
  ['狐狸', 1, '狐'],
  ['ab🦊', 3, 'ab'],
  ['ab🦊', 4, 'ab🦊'],
  ['🦊🦊', 2, '🦊'],
])('the beginning of %s in %i units is %s', (text, units, beginning) => {
  expect(beginningOf(text, units)).toBe(beginning);
});
