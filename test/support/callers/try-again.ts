import { expect } from 'vitest';
import { type Answer, errorOf } from './api.ts';

/** A clear error that a client may take as an order to come back. */
export function expectTryAgain(answer: Answer): void {
  const { code, message } = errorOf(answer);
  expect([answer.status, code]).toEqual([503, 'unavailable']);
  expect(message).toMatch(/Try again\.$/);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.headers.get('x-should-retry')).not.toBe('false');
}
