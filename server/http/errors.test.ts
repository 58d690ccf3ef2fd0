import { expect, it } from 'vitest';
import { ServiceError } from '../lib/service-error.ts';
import { errorBody, errorHeaders, toServiceError } from './errors.ts';

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

it('a failure of ours is to be quoted by the trace ID, for whoever reads the message alone', () => {
  const { error } = errorBody(toServiceError(new Error('a bug')), 'tr_1');
  expect(error).toMatchObject({ code: 'internal_error', trace_id: 'tr_1' });
  expect(error.message).toBe(
    'Something went wrong here. Nothing was charged. If it goes on, quote the trace ID tr_1.',
  );
  const wrong = new ServiceError('invalid_request_error', 'size is wrong.');
  expect(errorBody(wrong, 'tr_1').error.message).toBe('size is wrong.');
});
