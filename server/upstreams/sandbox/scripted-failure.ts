import { unreachable } from '../../lib/assert.ts';
import { UpstreamError, type UpstreamErrorOptions } from '../upstream.ts';
import type { Misbehaviour, ScriptedFault } from './directives.ts';

/** How each fault usually looks on the wire. */
const faces: Readonly<Record<ScriptedFault, UpstreamErrorOptions>> = {
  refused: { status: 400, upstreamCode: 'moderation_blocked' },
  bad_request: { status: 400, upstreamCode: 'invalid_value' },
  unsupported: { status: 400, upstreamCode: 'unsupported_parameter' },
  auth: { status: 401, upstreamCode: 'invalid_api_key' },
  quota: { status: 429, upstreamCode: 'insufficient_quota' },
  busy: { status: 429, upstreamCode: 'rate_limit_exceeded' },
  unavailable: { status: 503 },
  timeout: { possiblyCharged: true },
  protocol: { status: 200, possiblyCharged: true },
};

/** The error a scripted failure ends the attempt with. */
export function scriptedFailure(
  misbehaviour: Extract<Misbehaviour, { kind: 'fail' | 'drop' }>,
  attempt: { upstreamRequestId: string; retryAfterMs: number | null; wasAccepted: boolean },
): UpstreamError {
  const { upstreamRequestId, retryAfterMs, wasAccepted } = attempt;
  switch (misbehaviour.kind) {
    case 'drop':
      return new UpstreamError('unavailable', 'the sandbox dropped the connection as directed', {
        upstreamRequestId,
        possiblyCharged: true,
      });
    case 'fail': {
      const { fault } = misbehaviour;
      return new UpstreamError(fault, `the sandbox failed as directed: ${fault}`, {
        ...faces[fault],
        ...(retryAfterMs === null ? {} : { retryAfterMs }),
        ...(wasAccepted ? { possiblyCharged: true } : {}),
        upstreamRequestId,
      });
    }
    default:
      return unreachable(misbehaviour);
  }
}
