import { expect, test } from 'vitest';
import { thrownBy } from '../../test/support/thrown-by.ts';
import { Turns } from './turns.ts';

const atOnceMax = 2;

/** Work that is begun when its turn comes, and ends when it is told to. */
function works(turns: Turns, count: number) {
  const begun: number[] = [];
  const ends = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const all = ends.map(({ promise }, index) =>
    turns.take(async () => {
      begun.push(index);
      await promise;
      return index;
    }),
  );
  return { begun, end: (index: number) => ends[index]?.resolve(), all };
}

test('so much is done at once, and the rest in the order in which it came', async () => {
  const turns = new Turns(atOnceMax);
  // The second time, every turn was given back, and no more than that.
  for (let time = 0; time < 2; time++) {
    const { begun, end, all } = works(turns, 4);
    expect(begun).toEqual([0, 1]);
    expect(turns.waiting).toBe(2);
    end(1);
    await all[1];
    await turnsToPass();
    expect(begun).toEqual([0, 1, 2]);
    for (const index of [0, 2, 3]) end(index);
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(turns.waiting).toBe(0);
  }
});

test('a turn is given back when the work fails', async () => {
  const turns = new Turns(1);
  const fault = new Error('not this time');
  expect(await thrownBy(turns.take(() => Promise.reject(fault)))).toBe(fault);
  expect(await turns.take(async () => 'done')).toBe('done');
});

function turnsToPass(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
