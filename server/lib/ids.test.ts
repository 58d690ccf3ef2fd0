import { describe, expect, it } from 'vitest';
import { makeId } from './ids.ts';

describe('an identifier', () => {
  it('says what it names and is a ULID in lower case', () => {
    expect(makeId('tr', 0)).toMatch(/^tr_0{10}[0-9a-hjkmnp-tv-z]{16}$/);
    expect(makeId('usr', 281_474_976_710_655)).toMatch(/^usr_7z{9}/);
  });

  it('sorts by the time it was made', () => {
    const made = [1, 2, 31, 32, 1_000, 1_795_272_682_829].map((ms) => makeId('tr', ms));
    expect([...made].sort()).toEqual(made);
  });

  it('sorts in the order of making within one millisecond, without a repeat', () => {
    const made = Array.from({ length: 5_000 }, () => makeId('txn', 1_795_272_682_829));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it('is hard to guess from its neighbour', () => {
    const steps = Array.from({ length: 50 }, (_, ms) => makeId('tr', ms).slice(13));
    expect(new Set(steps).size).toBe(steps.length);
  });
});
