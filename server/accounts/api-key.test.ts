import { expect, it } from 'vitest';
import { parseKeyName, stateOfKey } from './api-key.ts';

it.each([
  ['active without an expiry', {}, 'active'],
  ['active until the last millisecond', { expiresAt: 1_001 }, 'active'],
  ['expired from the moment on', { expiresAt: 1_000 }, 'expired'],
  ['disabled, even if it has expired too', { expiresAt: 1, disabledAt: 1 }, 'disabled'],
  ['revoked, even if it has expired too', { expiresAt: 1, revokedAt: 1 }, 'revoked'],
  ['revoked, even if it is disabled too', { disabledAt: 1, revokedAt: 1 }, 'revoked'],
] as const)('is %s', (_what, changes, state) => {
  const key = { expiresAt: null, revokedAt: null, disabledAt: null, ...changes };
  expect(stateOfKey(key, 1_000)).toBe(state);
});

it.each(['', '   ', 'x'.repeat(101), 'two\nlines'])('refuses %j as a name', (name) => {
  expect(() => parseKeyName(name)).toThrow('A name has 1 to 100 printable characters.');
});
