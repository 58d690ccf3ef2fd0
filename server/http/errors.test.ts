import { expect, it } from 'vitest';
import { errorHeaders, toServiceError } from './errors.ts';

it.each([
  ['ECONNREFUSED', { 'retry-after': '5' }],
  // Would take as long again.
  ['57014', { 'x-should-retry': 'false' }],
])('says whether to try again after %s of the database', (code, headers) => {
  const error = toServiceError(Object.assign(new Error('of the driver'), { code }));
  expect(error.code).toBe('unavailable');
  expect(errorHeaders(error)).toEqual(headers);
});

it('advises a shorter range only where there is one', () => {
  const { message } = toServiceError(Object.assign(new Error('of the driver'), { code: '57014' }));
  expect(message).toBe(
    'The database takes too long for this. Where you can, choose a shorter range or more filters.',
  );
});
