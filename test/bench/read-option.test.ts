import { describe, expect, it } from 'vitest';
import { readEngines, readWhole } from '../../bench/read-option.ts';

describe('a number of an option', () => {
  const range = { min: 2, max: 64 };

  it.each(['2', '64'])('may be an end of its range: %s', (text) => {
    expect(readWhole('workers', text, range)).toBe(Number(text));
  });

  it.each(['1', '65', '3.5', '-3', '1e1', ''])('is refused with its range: "%s"', (text) => {
    expect(() => readWhole('workers', text, range)).toThrow(
      `--workers must be a whole number from 2 to 64, not ${text}`,
    );
  });
});

describe('--engine', () => {
  it('names one database or both', () => {
    expect(readEngines('sqlite')).toEqual(['sqlite']);
    expect(readEngines('postgres')).toEqual(['postgres']);
    expect(readEngines('both')).toEqual(['sqlite', 'postgres']);
    expect(() => readEngines('mysql')).toThrow(
      '--engine must be sqlite, postgres or both, not mysql',
    );
  });
});
