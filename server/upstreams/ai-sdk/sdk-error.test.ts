import { expect, it } from 'vitest';
import { UpstreamError } from '../upstream.ts';
import { errorOfSdk, type SeenByTransport } from './sdk-error.ts';

const nothingYet: SeenByTransport = {
  failure: null,
  wasAsked: false,
  wasAnswered: false,
  isPending: false,
  upstreamRequestId: null,
};
const answered = { wasAsked: true, wasAnswered: true, upstreamRequestId: 'job-1' };
const refusal = new UpstreamError('refused', 'the content was declined');

it.each<[string, Partial<SeenByTransport>, unknown, object]>([
  ['what failed in the transport, whatever was made of it', { failure: refusal }, Error(), refusal],
  [
    'an error of ours, with what is known of the job',
    answered,
    new UpstreamError('protocol', 'the answer has no picture'),
    { fault: 'protocol', possiblyCharged: true, upstreamRequestId: 'job-1' },
  ],
  ['a job that cannot be asked for', {}, Error(), { fault: 'unsupported', possiblyCharged: false }],
  [
    'a job that was still being made',
    { ...answered, isPending: true },
    Error('timed out after 240 polls'),
    { fault: 'timeout', possiblyCharged: true, upstreamRequestId: 'job-1' },
  ],
  [
    'an answer that cannot be read',
    answered,
    Error('Invalid JSON response'),
    { fault: 'protocol', possiblyCharged: true, cause: undefined },
  ],
])('the attempt ends with %s', (_what, seen, error, expected) => {
  expect(errorOfSdk(error, { ...nothingYet, ...seen })).toMatchObject(expected);
});
