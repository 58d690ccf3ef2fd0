import { describe, expect, it } from 'vitest';
import { Restarts, restartLimits } from './restarts.ts';

const { failedStartsMax, firstPauseMs, longestPauseMs, shortLifeMs } = restartLimits;
const long = { wasReady: true, livedMs: shortLifeMs, doOthersServe: false };
const short = { ...long, livedMs: shortLifeMs - 1 };
const stillborn = { wasReady: false, livedMs: 100, doOthersServe: false };

describe('a worker that died', () => {
  it('is replaced at once after a long life', () => {
    expect(new Restarts().noteDeath(1, long)).toBe(0);
  });

  it('is replaced after a pause that doubles with each short life, up to a longest', () => {
    const restarts = new Restarts();
    const pauses = Array.from({ length: 9 }, () => restarts.noteDeath(1, short));
    expect(pauses.slice(0, 3)).toEqual([firstPauseMs, 2 * firstPauseMs, 4 * firstPauseMs]);
    expect(pauses.at(-1)).toBe(longestPauseMs);
  });

  it('begins anew after a long life, and whatever the others do', () => {
    const restarts = new Restarts();
    restarts.noteDeath(1, short);
    restarts.noteDeath(1, short);
    expect(restarts.noteDeath(2, short)).toBe(firstPauseMs);
    restarts.noteDeath(1, long);
    expect(restarts.noteDeath(1, short)).toBe(firstPauseMs);
  });
});

describe('workers that die before they are ready', () => {
  const die = (restarts: Restarts, times: number) =>
    Array.from({ length: times }, (_, index) => restarts.noteDeath(1 + (index % 2), stillborn));

  it('are given up after a number of them in a row', () => {
    const pauses = die(new Restarts(), failedStartsMax);
    expect(pauses.slice(0, -1)).not.toContain(null);
    expect(pauses.at(-1)).toBeNull();
  });

  it('are not given up as long as one becomes ready in between', () => {
    const restarts = new Restarts();
    die(restarts, failedStartsMax - 1);
    restarts.noteReady();
    expect(die(restarts, failedStartsMax - 1)).not.toContain(null);
    expect(restarts.noteDeath(1, stillborn)).toBeNull();
  });

  it('are not given up while others serve, and not at once when those are gone', () => {
    const restarts = new Restarts();
    const beside = { ...stillborn, doOthersServe: true };
    const pauses = Array.from({ length: 9 }, () => restarts.noteDeath(1, beside));
    expect(pauses.slice(0, 2)).toEqual([firstPauseMs, 2 * firstPauseMs]);
    expect(pauses.at(-1)).toBe(longestPauseMs);
    expect(die(restarts, failedStartsMax - 1)).not.toContain(null);
    expect(restarts.noteDeath(1, stillborn)).toBeNull();
  });
});
