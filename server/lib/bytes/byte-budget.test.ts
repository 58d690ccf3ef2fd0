import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type BudgetShare, ByteBudget } from './byte-budget.ts';

const mebibyte = 1_048_576;
const large = 4 * mebibyte;
const limit = 16 * mebibyte;
const waitMs = 5_000;

function patient(clock = new ManualClock(), gone = new AbortController()) {
  return { clock, waitMs, signal: gone.signal };
}

/** A share that has what it asked for. */
function taken(budget: ByteBudget, bytes: number): BudgetShare {
  const share = budget.open(bytes);
  expect(share.take(bytes)).toBe('taken');
  return share;
}

describe('a share of the budget', () => {
  test('comes back once, however often it is ended', async () => {
    const budget = new ByteBudget(limit);
    const share = taken(budget, large);
    const other = taken(budget, 10);
    expect(budget.used).toBe(large + 10);
    share.end();
    share.end();
    share.keep(0);
    expect(budget.used).toBe(10);
    other.end();
    expect(budget.used).toBe(0);
  });

  test('takes nothing more when it has ended', () => {
    const budget = new ByteBudget(limit);
    const share = budget.open(10);
    share.end();
    share.count(10);
    share.take(10);
    expect(budget.used).toBe(0);
  });

  test('may grow and shrink', () => {
    const budget = new ByteBudget(limit);
    const share = taken(budget, large);
    expect(share.take(mebibyte)).toBe('taken');
    share.keep(mebibyte);
    share.keep(large);
    expect(budget.used).toBe(mebibyte);
    expect(share.bytes).toBe(mebibyte);
  });

  test('is all but the sixteenth for small ones, and a byte more is never had', () => {
    const budget = new ByteBudget(limit);
    expect(budget.shareMax).toBe(15 * mebibyte);
    expect(budget.open(null).take(budget.shareMax + 1)).toBe('never');
    const share = taken(budget, budget.shareMax);
    expect(share.take(1)).toBe('never');
  });

  test('may be counted beyond the limit; then nobody gets more', () => {
    const budget = new ByteBudget(limit);
    const answers = budget.open(null);
    answers.count(limit + 1);
    expect(budget.used).toBe(limit + 1);
    expect(budget.open(1).take(1)).toBe('full');
    answers.count(-2);
    expect(budget.open(1).take(1)).toBe('taken');
  });
});

describe('who finds no room', () => {
  test('gets it when another ends', async () => {
    const budget = new ByteBudget(limit);
    const first = taken(budget, 15 * mebibyte);
    const second = budget.open(large);
    const asked = second.ask(large, patient());
    expect(budget.waiting).toBe(1);
    first.end();
    expect(await asked).toBe('taken');
    expect(budget).toMatchObject({ used: large, waiting: 0 });
  });

  test('leaves no time limit behind once it has it', async () => {
    const clock = new ManualClock();
    const budget = new ByteBudget(limit);
    const first = taken(budget, 15 * mebibyte);
    const asked = budget.open(large).ask(large, patient(clock));
    expect(clock.sleepingFor(waitMs)).toBe(1);
    first.end();
    await asked;
    await expect.poll(() => clock.sleepingFor(waitMs)).toBe(0);
  });

  test('is told so after a while, and holds nothing', async () => {
    const clock = new ManualClock();
    const budget = new ByteBudget(limit);
    taken(budget, 15 * mebibyte);
    const asked = budget.open(large).ask(large, patient(clock));
    await clock.untilSleeping();
    clock.advance(waitMs);
    expect(await asked).toBe('full');
    expect(budget).toMatchObject({ used: 15 * mebibyte, waiting: 0 });
  });

  test('leaves the line when its caller goes', async () => {
    const gone = new AbortController();
    const budget = new ByteBudget(limit);
    const first = taken(budget, 15 * mebibyte);
    const share = budget.open(large);
    const asked = share.ask(large, patient(new ManualClock(), gone));
    gone.abort();
    expect(await asked).toBe('full');
    first.end();
    expect(budget).toMatchObject({ used: 0, waiting: 0 });
  });

  test('has a place for 2,000', async () => {
    const clock = new ManualClock();
    const gone = new AbortController();
    const budget = new ByteBudget(limit);
    taken(budget, 15 * mebibyte);
    const asked = Array.from({ length: 2_000 }, () =>
      budget.open(large).ask(large, patient(clock, gone)),
    );
    expect(budget.waiting).toBe(2_000);
    expect(await budget.open(large).ask(large, patient(clock, gone))).toBe('full');
    expect(budget.waiting).toBe(2_000);
    gone.abort();
    await Promise.all(asked);
    expect(budget.waiting).toBe(0);
  });

  test('does not wait for what can never be had', async () => {
    const budget = new ByteBudget(limit);
    taken(budget, 15 * mebibyte);
    expect(await budget.open(limit).ask(limit, patient())).toBe('never');
    void budget.open(large).ask(large, patient());
    expect(await budget.open(limit).ask(limit, patient())).toBe('never');
  });

  test('stands behind whoever waits already, also for less', () => {
    const budget = new ByteBudget(limit);
    const first = taken(budget, 13 * mebibyte);
    void budget.open(large).ask(large, patient());
    void budget.open(2 * mebibyte).ask(2 * mebibyte, patient());
    expect(budget).toMatchObject({ used: 13 * mebibyte, waiting: 2 });
    first.end();
    expect(budget).toMatchObject({ used: 6 * mebibyte, waiting: 0 });
  });

  test('is served in the order of coming', async () => {
    const budget = new ByteBudget(limit);
    const first = taken(budget, 15 * mebibyte);
    const order: string[] = [];
    const wait = async (name: string, bytes: number) => {
      await budget.open(bytes).ask(bytes, patient());
      order.push(name);
    };
    const waits = [wait('a', 8 * mebibyte), wait('b', 7 * mebibyte), wait('c', 2 * mebibyte)];
    first.keep(4 * mebibyte);
    await Promise.resolve();
    // There is room for the last, but the first is first.
    expect(budget.waiting).toBe(2);
    first.end();
    await Promise.all(waits.slice(0, 2));
    expect(order).toEqual(['a', 'b']);
    expect(budget.waiting).toBe(1);
  });
});

describe('small ones and large ones', () => {
  test('the large leave a part to the small', () => {
    const budget = new ByteBudget(limit);
    taken(budget, 15 * mebibyte);
    expect(budget.open(large).take(large)).toBe('full');
    taken(budget, mebibyte);
    expect(budget.open(1).take(1)).toBe('full');
  });

  test('while a large one waits, the small have that part only, and so it is not starved', async () => {
    const budget = new ByteBudget(limit);
    const smalls = Array.from({ length: 14 }, () => taken(budget, mebibyte));
    const share = budget.open(large);
    const asked = share.ask(large, patient());
    // Two are free; without the large one that waits, the small could have them.
    expect(budget.open(mebibyte).take(mebibyte)).toBe('full');
    const [first, second, third] = smalls;
    first?.end();
    expect(budget.open(mebibyte).take(mebibyte)).toBe('full');
    second?.end();
    expect(await asked).toBe('taken');
    third?.end();
    taken(budget, mebibyte);
  });

  test('the small go on when the large one that waited gave up', async () => {
    const clock = new ManualClock();
    const budget = new ByteBudget(limit);
    for (let count = 0; count < 13; count++) taken(budget, mebibyte);
    const asked = budget.open(large).ask(large, patient(clock));
    const small = budget.open(mebibyte).ask(mebibyte, patient());
    await clock.untilSleeping();
    clock.advance(waitMs);
    expect(await asked).toBe('full');
    expect(await small).toBe('taken');
  });

  test('the small go on as soon as the large one that waited has its room', () => {
    const budget = new ByteBudget(limit);
    const most = taken(budget, 12 * mebibyte);
    for (let count = 0; count < 2; count++) taken(budget, mebibyte);
    void budget.open(large).ask(large, patient());
    void budget.open(mebibyte).ask(mebibyte, patient());
    expect(budget.waiting).toBe(2);
    most.end();
    expect(budget).toMatchObject({ used: large + 3 * mebibyte, waiting: 0 });
  });

  test('what the small have of their part, the large need not leave to them', () => {
    const budget = new ByteBudget(limit);
    taken(budget, mebibyte);
    taken(budget, 15 * mebibyte);
    expect(budget.used).toBe(limit);
  });

  test('one of unknown length counts as large', async () => {
    const budget = new ByteBudget(limit);
    taken(budget, 15 * mebibyte);
    expect(budget.open(null).take(1)).toBe('full');
    expect(budget.open(1).take(1)).toBe('taken');
  });
});

test('who finds no room is counted, once, and not who waits for it in vain because they left', async () => {
  const clock = new ManualClock();
  const budget = new ByteBudget(limit);
  const all = taken(budget, budget.shareMax);
  expect(all.take(1)).toBe('never');
  expect(budget.refusals).toBe(0);
  expect(budget.open(large).take(large)).toBe('full');
  expect(budget.refusals).toBe(1);
  const [late, gone] = [new AbortController(), new AbortController()];
  const asked = [late, gone].map((caller) => budget.open(large).ask(large, patient(clock, caller)));
  gone.abort();
  clock.advance(waitMs);
  expect(await Promise.all(asked)).toEqual(['full', 'full']);
  expect(budget.refusals).toBe(2);
  const served = budget.open(large).ask(large, patient(clock));
  all.end();
  expect(await served).toBe('taken');
  expect(budget.refusals).toBe(2);
});

test('whatever happens, every byte comes back and nobody who asks passes the limit', async () => {
  const step = fc.record({
    bytes: fc.integer({ min: 0, max: 6 * mebibyte }),
    act: fc.constantFrom('ask', 'take', 'keep', 'end', 'leave', 'late'),
    who: fc.nat(7),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = new ManualClock();
      const budget = new ByteBudget(limit);
      const shares = new Map<number, { share: BudgetShare; gone: AbortController }>();
      const asked: Promise<unknown>[] = [];
      for (const { bytes, act, who } of steps) {
        const held = shares.get(who) ?? { share: budget.open(bytes), gone: new AbortController() };
        shares.set(who, held);
        if (act === 'ask') asked.push(held.share.ask(bytes, patient(clock, held.gone)));
        if (act === 'take') held.share.take(bytes);
        if (act === 'keep') held.share.keep(bytes);
        if (act === 'leave') held.gone.abort();
        if (act === 'late') clock.advance(waitMs);
        if (act === 'end') {
          held.share.end();
          shares.delete(who);
        }
        expect(budget.used).toBeLessThanOrEqual(limit);
        expect(budget.used).toBeGreaterThanOrEqual(0);
        await Promise.resolve();
      }
      for (const { share, gone } of shares.values()) {
        gone.abort();
        share.end();
      }
      clock.advance(waitMs);
      await Promise.all(asked);
      expect(budget).toMatchObject({ used: 0, waiting: 0 });
    }),
    { numRuns: 300 },
  );
});
