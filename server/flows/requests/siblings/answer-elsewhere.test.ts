import { expect, test } from 'vitest';
import type { HoldOutcome } from '../../../wallets/delivery-store.ts';
import { type Progress, progressOf } from './answer-elsewhere.ts';

const settled: HoldOutcome = {
  userId: 'usr_a',
  apiKeyId: 'key_a',
  budgetMonth: '2026-11',
  state: 'settled',
  cost: 80_000,
  deliveredAt: null,
  refundedAt: null,
};
const open: HoldOutcome = { ...settled, state: 'open', cost: null };

test.each<[string, HoldOutcome | null, Progress]>([
  ['is open', open, 'running'],
  ['was charged', settled, 'charged'],
  ['was handed over', { ...settled, deliveredAt: 1 }, 'paid'],
  // Its key is free by now, and whoever asks for it next finds that.
  ['was released', { ...open, state: 'released' }, 'running'],
  ['has its charge back', { ...settled, refundedAt: 1 }, 'running'],
  ['was handed over so long ago that nothing is kept of it', null, 'paid'],
])('a request whose hold %s', (_which, hold, progress) => {
  expect(progressOf(hold)).toBe(progress);
});
