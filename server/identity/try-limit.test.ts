import { describe, expect, test } from 'vitest';
import { lockedUntil, trySubject, visitorNetwork } from './try-limit.ts';

test.each([
  [0, null],
  [4, null],
  [5, 30_000],
  [6, 60_000],
  [9, 480_000],
  [10, 900_000],
  [11, 900_000],
  [1_000_000, 900_000],
])('after %i failures an account is locked for %s ms', (failures, pause) => {
  const until = lockedUntil('account', { failures, lastAt: 1_000 });
  expect(until).toBe(pause === null ? null : 1_000 + pause);
});

test('subjects of different kinds differ, and name nobody', () => {
  const subject = trySubject('account', 'ann@example.com');
  expect(subject).toMatch(/^account:[0-9a-f]{64}$/);
  expect(trySubject('address', 'ann@example.com').split(':')[1]).not.toBe(subject.split(':')[1]);
});

describe('of a network address, a visitor is', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
    ['unix', 'unknown'],
    [null, 'unknown'],
  ])('%s → %s', (address, network) => {
    expect(visitorNetwork(address)).toBe(network);
  });
});
