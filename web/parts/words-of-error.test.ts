import { expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { wordsOf } from './words-of-error.ts';

const own = { unavailable: 'Not right now.', internal_error: 'Something went wrong.' };

it.each([
  ['unavailable', 5, 'Not right now.'],
  ['unavailable', null, 'Choose a shorter range.'],
  ['internal_error', null, 'Something went wrong.'],
  ['not_found', null, 'Choose a shorter range.'],
] as const)('of %s, to be tried again in %s s, are: %s', (code, retryAfterSeconds, words) => {
  const error = new ApiError({ code, message: 'Choose a shorter range.', retryAfterSeconds });
  expect(wordsOf(error, { own, known: {} })).toBe(words);
});

it('are those of the language for what the service says, where the console has none of its own', () => {
  const known = { 'The password is wrong.': '密码错误。' };
  const error = new ApiError({ code: 'unauthorized', message: 'The password is wrong.' });
  expect(wordsOf(error, { own, known })).toBe('密码错误。');
});
