import { type Fault, UpstreamError } from '../upstream.ts';

/** The same error, with what is known better now. */
export function restated(
  error: UpstreamError,
  change: {
    fault?: Fault;
    possiblyCharged?: boolean;
    upstreamRequestId?: string | null;
    cause?: Error;
  },
): UpstreamError {
  const { status, upstreamCode, upstreamParam, retryAfterMs } = error;
  const upstreamRequestId = error.upstreamRequestId ?? change.upstreamRequestId ?? null;
  return new UpstreamError(change.fault ?? error.fault, error.message, {
    ...(status !== null && { status }),
    ...(upstreamCode !== null && { upstreamCode }),
    ...(upstreamParam !== null && { upstreamParam }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...(upstreamRequestId !== null && { upstreamRequestId }),
    possiblyCharged: change.possiblyCharged ?? error.possiblyCharged,
    cause: change.cause ?? error.cause,
  });
}
