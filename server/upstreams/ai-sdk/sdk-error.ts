import { UpstreamError } from '../upstream.ts';
import { restated } from '../wire/restated.ts';
import type { SdkTransport } from './transport.ts';

export type SeenByTransport = Pick<
  SdkTransport,
  'failure' | 'wasAsked' | 'wasAnswered' | 'isPending' | 'upstreamRequestId'
>;

/**
 * Why there is no picture. What happened in the transport counts; otherwise the SDK gave up by
 * itself, and its error is dropped, since it holds the request and the answer.
 */
export function errorOfSdk(error: unknown, seen: SeenByTransport): UpstreamError {
  const { failure, wasAsked, wasAnswered: possiblyCharged, isPending, upstreamRequestId } = seen;
  if (failure) return failure;
  const known = { possiblyCharged, ...(upstreamRequestId !== null && { upstreamRequestId }) };
  if (error instanceof UpstreamError) return restated(error, known);
  // It found something in the job or in what the administrator adds that it cannot say.
  if (!wasAsked) return new UpstreamError('unsupported', 'the AI SDK made no request of the job');
  if (isPending) return new UpstreamError('timeout', 'the picture was not made in time', known);
  return new UpstreamError('protocol', 'the answer is not as the AI SDK expects it', known);
}
