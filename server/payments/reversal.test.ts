import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { addAmounts, amountFromMicros, zero } from '../../shared/money.ts';
import { type KnownReversal, stepReversal } from './reversal.ts';

const micros = amountFromMicros;
const known = (amount: number, deducted: number): KnownReversal => ({
  kind: 'refund',
  reference: 'r',
  amount: micros(amount),
  deducted: micros(deducted),
  endedAt: null,
});
const dispute = (amount: number, deducted: number, endedAt: number | null = null) =>
  ({ ...known(amount, deducted), kind: 'dispute', endedAt }) satisfies KnownReversal;

describe('a report of what was taken back', () => {
  test.each([
    { what: 'the first', reported: 40, before: null, available: 100, now: [40, 40, -40, 0] },
    { what: 'more', reported: 70, before: known(40, 40), available: 100, now: [70, 70, -30, 0] },
    { what: 'an older', reported: 10, before: known(40, 40), available: 100, now: [40, 40, 0, 0] },
    { what: 'too much', reported: 900, before: null, available: 500, now: [100, 100, -100, 0] },
    { what: 'not covered', reported: 80, before: null, available: 30, now: [80, 30, -30, 50] },
    { what: 'a repeat', reported: 80, before: known(80, 30), available: 99, now: [80, 30, 0, 50] },
    {
      what: 'more, after',
      reported: 90,
      before: known(80, 30),
      available: 99,
      now: [90, 40, -10, 50],
    },
    {
      what: 'more, than',
      reported: 90,
      before: known(80, 30),
      available: 4,
      now: [90, 34, -4, 56],
    },
    { what: 'of nothing', reported: 80, before: null, available: 0, now: [80, 0, 0, 80] },
  ])('($what)', ({ reported, before, available, now }) => {
    const { amount, deducted, change, missing } = stepReversal(micros(reported), {
      known: before,
      kind: 'refund',
      isCurrent: false,
      others: [],
      paid: micros(100),
      available: micros(available),
    });
    expect([amount, deducted, change, missing]).toEqual(now);
  });

  test('of a dispute that was won gives back what it took, and no more', () => {
    const step = stepReversal(zero, {
      known: dispute(80, 30),
      kind: 'dispute',
      isCurrent: true,
      others: [],
      paid: micros(100),
      available: micros(0),
    });
    expect(step).toMatchObject({ amount: 0, deducted: 0, change: 30, missing: 0 });
  });

  test('of a dispute that is not decided gives nothing back', () => {
    const step = stepReversal(zero, {
      known: dispute(80, 30),
      kind: 'dispute',
      isCurrent: false,
      others: [],
      paid: micros(100),
      available: micros(50),
    });
    expect(step).toMatchObject({ amount: 80, deducted: 30, change: 0, missing: 50 });
  });

  test('of two reversals takes no more than was paid', () => {
    const step = stepReversal(micros(90), {
      known: null,
      kind: 'dispute',
      isCurrent: false,
      others: [known(40, 40)],
      paid: micros(100),
      available: micros(500),
    });
    expect(step).toMatchObject({ amount: 60, change: -60, others: [known(40, 40)] });
  });

  test('of a second dispute takes what all others left', () => {
    const others = [known(20, 20), dispute(50, 50)];
    const step = stepReversal(micros(60), {
      known: null,
      kind: 'dispute',
      isCurrent: false,
      others,
      paid: micros(100),
      available: micros(500),
    });
    expect(step).toMatchObject({ amount: 30, change: -30, others });
  });

  test.each([
    { what: 'of all that was paid', open: dispute(100, 100), left: [70, 70], now: [30, 30, 0] },
    { what: 'of most of it', open: dispute(80, 80), left: [70, 70], now: [30, 30, -20] },
    { what: 'that was not covered', open: dispute(100, 5), left: [70, 0], now: [30, 25, -20] },
    { what: 'that took nothing', open: dispute(100, 0), left: [70, 0], now: [30, 20, -20] },
    { what: 'of a part', open: dispute(50, 50), left: [50, 50], now: [30, 20, -20] },
    { what: 'that was lost', open: dispute(100, 100, 1), left: [100, 100], now: [0, 0, 0] },
  ])('of a refund takes over its part of a dispute $what', ({ open, left, now }) => {
    const { amount, deducted, change, others } = stepReversal(micros(30), {
      known: null,
      kind: 'refund',
      isCurrent: false,
      others: [open],
      paid: micros(100),
      available: micros(20),
    });
    expect([amount, deducted, change]).toEqual(now);
    expect(others.map((other) => [other.amount, other.deducted])).toEqual([left]);
  });

  test('of a refund leaves to all disputes together what is left of the payment', () => {
    const step = stepReversal(micros(30), {
      known: null,
      kind: 'refund',
      isCurrent: false,
      others: [dispute(50, 50), dispute(50, 50)],
      paid: micros(100),
      available: micros(500),
    });
    expect(step).toMatchObject({
      amount: 30,
      change: 0,
      others: [dispute(50, 50), dispute(20, 20)],
    });
  });

  test.each([
    { what: 'and gives back what it took', before: known(70, 70), open: [], now: [30, 30, 40, 0] },
    { what: 'as much as it took', before: known(70, 50), open: [], now: [30, 30, 20, 0] },
    { what: 'of what is missing', before: known(70, 20), open: [], now: [30, 20, 0, 10] },
    {
      what: 'and leaves it to a dispute that yielded it',
      before: known(70, 60),
      open: [dispute(30, 20), dispute(0, 0)],
      left: [dispute(70, 50), dispute(0, 0)],
      now: [30, 30, 0, 0],
    },
    {
      what: 'and leaves nothing to one that is decided',
      before: known(70, 70),
      open: [dispute(30, 30, 1)],
      now: [30, 30, 40, 0],
    },
  ])('of a refund that is now less takes less, $what', ({ before, open, left = open, now }) => {
    const { amount, deducted, change, missing, others } = stepReversal(micros(30), {
      known: before,
      kind: 'refund',
      isCurrent: true,
      others: open,
      paid: micros(100),
      available: micros(20),
    });
    expect([amount, deducted, change, missing]).toEqual(now);
    expect(others).toEqual(left);
  });

  it('keeps the wallet and the payment within their bounds, whatever is reported', () => {
    const report = fc.record({
      kind: fc.constantFrom('refund' as const, 'dispute' as const),
      reported: fc.nat(200),
      isDecided: fc.boolean(),
      spent: fc.nat(60),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), (reports) => {
        const paid = micros(100);
        let balance = paid;
        const all = new Map<string, KnownReversal>();
        for (const { kind, reported, isDecided, spent } of reports) {
          balance = micros(Math.max(0, balance - spent));
          const step = stepReversal(micros(reported), {
            known: all.get(kind) ?? null,
            kind,
            isCurrent: isDecided,
            others: [...all.values()].filter((one) => one.kind !== kind),
            paid,
            available: balance,
          });
          balance = addAmounts(balance, step.change);
          const { amount, deducted } = step;
          const now = [...step.others, { kind, reference: 'r', amount, deducted, endedAt: null }];
          for (const each of now) all.set(each.kind, each);
          const taken = [...all.values()].reduce((sum, one) => sum + one.amount, 0);
          expect(balance).toBeGreaterThanOrEqual(0);
          for (const each of now) {
            expect(each.deducted).toBeGreaterThanOrEqual(0);
            expect(each.deducted).toBeLessThanOrEqual(each.amount);
          }
          expect(taken).toBeLessThanOrEqual(paid);
        }
      }),
    );
  });
});
