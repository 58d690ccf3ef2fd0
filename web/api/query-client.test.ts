import { expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { createQueryClient } from './query-client.ts';

const { retry } = createQueryClient().getDefaultOptions().queries ?? {};

it.each([
  ['unreachable', null, true],
  ['unavailable', 5, true],
  ['unavailable', null, false],
  ['not_found', null, false],
] as const)('asks again after %s, retry after %s: %s', (code, retryAfterSeconds, asksAgain) => {
  const error = new ApiError({ code, retryAfterSeconds, message: 'It broke.' });
  if (typeof retry !== 'function') throw new Error('nothing decides');
  expect(retry(0, error)).toBe(asksAgain);
  expect(retry(2, error)).toBe(false);
});
