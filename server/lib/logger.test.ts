import { expect, it } from 'vitest';
import { UpstreamError } from '../upstreams/upstream.ts';
import { createLogger } from './logger.ts';
import { ServiceError } from './service-error.ts';

it('says where in our code something broke', () => {
  const { frames } = logged(new ServiceError('internal_error', 'It broke.'));
  expect(frames.length).toBeGreaterThan(0);
});

it('says no such thing of what an upstream did', () => {
  const cause = new UpstreamError('unavailable', 'answered with status 503');
  const err = logged(new ServiceError('upstream_error', 'The image service failed.', { cause }));
  expect(err).toMatchObject({
    name: 'ServiceError',
    frames: [],
    cause: { name: 'UpstreamError', message: 'answered with status 503', frames: [] },
  });
});

it('says it of an adapter that broke', () => {
  const cause = new UpstreamError('protocol', 'the adapter failed', { cause: new TypeError('x') });
  const err = logged(new ServiceError('upstream_error', 'The image service failed.', { cause }));
  const broke = err.cause?.cause;
  expect(broke).toMatchObject({ name: 'TypeError', message: null });
  expect(broke?.frames.length).toBeGreaterThan(0);
});

it('says why the database did not answer, in words that are always the same', () => {
  expect(logged(new Error('Query read timeout'))).toMatchObject({ message: 'Query read timeout' });
  expect(logged(new Error('Query read timeout of a fox'))).toMatchObject({ message: null });
});

interface LoggedError {
  message: string | null;
  frames: readonly string[];
  cause: LoggedError | null;
}

function logged(error: Error): LoggedError {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).error({ err: error }, 'failed');
  // One line, written above.
  return (JSON.parse(lines.join()) as { err: LoggedError }).err;
}
