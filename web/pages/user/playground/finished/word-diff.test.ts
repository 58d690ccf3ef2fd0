import { expect, it } from 'vitest';
import { diffWords } from './word-diff.ts';

const shown = (before: string, after: string) =>
  diffWords(before, after)
    ?.map(({ kind, text }) => (kind === 'same' ? text : `[${kind === 'added' ? '+' : '-'}${text}]`))
    .join('');

it('marks what was added and left out', () => {
  expect(shown('a red fox', 'a red fox')).toBe('a red fox');
  expect(shown('a red fox ', 'a small red fox in snow')).toBe('a [+small ]red fox [+in snow]');
  expect(shown('a very red fox', 'a red fox')).toBe('a [-very ]red fox');
  expect(shown('a fox', 'a fox in snow')).toBe('a fox [+in snow]');
  expect(shown('', 'a fox')).toBe('[+a fox]');
  expect(shown('雪中的狐狸', '雪中的红狐狸')).toBe('雪中的[+红]狐狸');
});

it('does not compare books', () => {
  expect(diffWords('word '.repeat(1_000), 'x')).not.toBeNull();
  expect(diffWords('word '.repeat(1_001), 'x')).toBeNull();
});
