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

it.each([
  ['PostgreSQL', { code: '22003', message: 'bigint out of range' }],
  ['SQLite', { code: 'SQLITE_ERROR', message: 'integer overflow' }],
])('says of a sum that is too large for %s that it is too large', (_name, error) => {
  const said = toServiceError(Object.assign(new Error(error.message), error));
  expect(said.message).toContain('more than an amount can be');
  expect(errorHeaders(said)).toEqual({ 'x-should-retry': 'false' });
});

it.each([
  new RangeError('a bug'),
  Object.assign(new Error('no such table'), { code: 'SQLITE_ERROR' }),
])('tells nothing of what is a mistake of ours: %s', (error) => {
  expect(toServiceError(error).code).toBe('internal_error');
});

it('advises a shorter range only where there is one', () => {
  const { message } = toServiceError(Object.assign(new Error('of the driver'), { code: '57014' }));
  expect(message).toBe(
    'The database takes too long for this. Where you can, choose a shorter range or more filters.',
  );
});
