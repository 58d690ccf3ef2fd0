import { expect, it } from 'vitest';
import { amountFromMicros, zero } from '../../shared/money.ts';
import { type KeyBudget, type KeyLimits, limitReached, noKeyLimits } from './key-budget.ts';

const micros = amountFromMicros;
const used: Omit<KeyBudget, 'limits'> = {
  inFlight: 2,
  held: micros(20),
  spent: micros(70),
  month: '2026-11',
  spentInMonth: micros(30),
};

it.each<[string, Partial<KeyLimits>, Partial<KeyBudget>, 'slots' | 'spend' | null]>([
  ['has none', {}, {}, null],
  ['has a slot left', { slotsMax: 3 }, {}, null],
  ['has no slot left', { slotsMax: 2 }, {}, 'slots'],
  ['may spend just that', { spendMax: micros(100) }, {}, null],
  ['may spend a micro less', { spendMax: micros(99) }, {}, 'spend'],
  ['has spent more than an amount can be', { spendMax: micros(99) }, { spent: null }, 'spend'],
  ['may spend just that in the month', { monthlySpendMax: micros(60) }, {}, null],
  ['may spend a micro less in the month', { monthlySpendMax: micros(59) }, {}, 'spend'],
  ['begins a new month', { monthlySpendMax: micros(30) }, { month: '2026-10' }, null],
  ['is in the next month already', { monthlySpendMax: micros(59) }, { month: '2026-12' }, 'spend'],
  ['begins its first month', { monthlySpendMax: micros(30) }, { month: null }, null],
  [
    'has spent more in the month than an amount can be',
    { monthlySpendMax: micros(59) },
    { spentInMonth: null },
    'spend',
  ],
])('a key that %s, and what it is told of a request for 10 micros', (_which, limits, is, told) => {
  const budget = { ...used, ...is, limits: { ...noKeyLimits, ...limits } };
  const reached = limitReached(budget, { amount: micros(10), monthNow: '2026-11' });
  expect(reached?.kind ?? null).toBe(told);
});

it('a key is told of its slots first', () => {
  const budget = { ...used, limits: { ...noKeyLimits, slotsMax: 2, spendMax: micros(1) } };
  expect(limitReached(budget, { amount: zero, monthNow: '2026-11' })).toEqual({
    kind: 'slots',
    slotsMax: 2,
  });
});
