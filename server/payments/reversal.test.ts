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

describe('a report of what was taken back', () => {
  test.each([
    { what: 'the first', reported: 40, before: null, available: 100, now: [40, 40, -40, 0] },
    { what: 'more', reported: 70, before: known(40, 40), available: 100, now: [70, 70, -30, 0] },
    { what: 'an older', reported: 10, before: known(40, 40), available: 100, now: [40, 40, 0, 0] },
    { what: 'too much', reported: 900, before: null, available: 500, now: [100, 100, -100, 0] },
    { what: 'not covered', reported: 80, before: null, available: 30, now: [80, 30, -30, 50] },
    { what: 'a repeat', reported: 80, before: known(80, 30), available: 99, now: [80, 30, 0, 50] },
    { what: 'of nothing', reported: 80, before: null, available: 0, now: [80, 0, 0, 80] },
  ])('($what)', ({ reported, before, available, now }) => {
    const { amount, deducted, change, missing } = stepReversal(micros(reported), {
      known: before,
      kind: 'refund',
      others: zero,
      paid: micros(100),
      available: micros(available),
    });
    expect([amount, deducted, change, missing]).toEqual(now);
  });

  test('of a dispute that was won gives back what it took, and no more', () => {
    const step = stepReversal(zero, {
      known: { ...known(80, 30), kind: 'dispute' },
      kind: 'dispute',
      others: zero,
      paid: micros(100),
      available: micros(0),
    });
    expect(step).toMatchObject({ amount: 0, deducted: 0, change: 30, missing: 0 });
  });

  test('of two reversals takes no more than was paid', () => {
    const context = { known: null, paid: micros(100), available: micros(500) };
    const step = stepReversal(micros(90), { ...context, kind: 'dispute', others: micros(40) });
    expect(step).toMatchObject({ amount: 60, change: -60 });
  });

  it('keeps the wallet and the payment within their bounds, whatever is reported', () => {
    const report = fc.record({
      kind: fc.constantFrom('refund' as const, 'dispute' as const),
      reported: fc.nat(200),
      spent: fc.nat(60),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), (reports) => {
        const paid = micros(100);
        let balance = paid;
        const all = new Map<string, KnownReversal>();
        for (const { kind, reported, spent } of reports) {
          balance = micros(Math.max(0, balance - spent));
          const others = [...all.values()].filter((one) => one.kind !== kind);
          const step = stepReversal(micros(reported), {
            known: all.get(kind) ?? null,
            kind,
            others: others.reduce((sum, { amount }) => addAmounts(sum, amount), zero),
            paid,
            available: balance,
          });
          balance = addAmounts(balance, step.change);
          const { amount, deducted } = step;
          all.set(kind, { kind, reference: 'r', amount, deducted, endedAt: null });
          const taken = [...all.values()].reduce((sum, one) => sum + one.amount, 0);
          expect(balance).toBeGreaterThanOrEqual(0);
          expect(deducted).toBeGreaterThanOrEqual(0);
          expect(deducted).toBeLessThanOrEqual(amount);
          expect(taken).toBeLessThanOrEqual(paid);
        }
      }),
    );
  });
});
