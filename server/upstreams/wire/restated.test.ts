import { expect, it } from 'vitest';
import { UpstreamError } from '../upstream.ts';
import { restated } from './restated.ts';

const told = {
  status: 422,
  upstreamCode: 'too_wide',
  upstreamParam: 'width',
  retryAfterMs: 1_000,
  upstreamRequestId: 'req_1',
  possiblyCharged: true,
  cause: new Error('why'),
} as const;

it('says all that the error said, but for what is known better', () => {
  const error = new UpstreamError('bad_request', 'answered with status 422', told);
  expect(restated(error, {})).toMatchObject({ fault: 'bad_request', ...told });
  expect(restated(error, { fault: 'protocol', possiblyCharged: false })).toMatchObject({
    ...told,
    fault: 'protocol',
    possiblyCharged: false,
  });
});
