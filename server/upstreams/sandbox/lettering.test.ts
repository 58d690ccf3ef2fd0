import { expect, test } from 'vitest';
import { sandboxCaption } from './label.ts';
import { letteringPath, letteringWidth } from './lettering.ts';

test('draws every letter a caption can hold', () => {
  const letters = new Set(
    `${sandboxCaption}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789×·-`.replaceAll(' ', ''),
  );
  expect([...letters].filter((letter) => letteringPath(letter) === '')).toEqual([]);
});

test('draws nothing for what it does not know', () => {
  expect(letteringPath('<é漢>')).toBe('');
});

test('grows with the text and the height', () => {
  expect(letteringWidth('MM', 10)).toBeGreaterThan(letteringWidth('M', 10));
  expect(letteringWidth('M', 20)).toBeCloseTo(2 * letteringWidth('M', 10));
});
