import { describe, expect, it } from 'vitest';
import { formatSummary, isGood } from './summary.ts';

describe('the closing lines of a test run', () => {
  it('are one plain line when nothing was skipped', () => {
    expect(formatSummary({ passed: 12, failed: 0, skipped: [] })).toBe('12 passed, 0 failed');
  });

  it('list what was skipped and why before the totals', () => {
    const skipped = [
      { reason: 'PostgreSQL cannot run on this machine: no account', count: 4 },
      { reason: 'no browser', count: 1 },
    ];
    expect(formatSummary({ passed: 3, failed: 2, skipped }).split('\n')).toEqual([
      'Skipped:',
      '  4 × PostgreSQL cannot run on this machine: no account',
      '  1 × no browser',
      '3 passed, 2 failed, 5 skipped',
    ]);
  });
});

describe('a test run', () => {
  it('is good when something passed and nothing failed', () => {
    expect(isGood({ passed: 1, failed: 0, skipped: [] })).toBe(true);
  });

  it('is not good when a test failed', () => {
    expect(isGood({ passed: 9, failed: 1, skipped: [] })).toBe(false);
  });

  it('is not good when everything was skipped', () => {
    expect(isGood({ passed: 0, failed: 0, skipped: [{ reason: 'no server', count: 9 }] })).toBe(
      false,
    );
  });
});
