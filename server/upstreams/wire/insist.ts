import type { Clock } from '../../lib/clock.ts';
import { OutgoingError } from '../../lib/guarded-http.ts';
import { UpstreamError } from '../upstream.ts';
import { restated } from './restated.ts';

const retriesMax = 3;
const restMsMin = 1_000;
const restMsMax = 10_000;

/**
 * To ask after a job, or to fetch its picture, is free; to give it up for a moment's trouble would be
 * to pay for another. Only for questions that may be asked any number of times.
 */
export async function insist<T>(
  question: () => Promise<T>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<T> {
  for (let failed = 0; ; failed++) {
    try {
      return await question();
    } catch (error) {
      if (failed === retriesMax || !willPass(error)) throw error;
      await clock.sleep(restAfter(error), signal);
    }
  }
}

/**
 * The cause of an error for an answer that cannot be read at all: no service says so what became of a
 * job, but what stands in between does, such as a page of a proxy that is being mended.
 */
export class UnreadableAnswer extends Error {}

/** Trouble on the way; what the answer says of the job itself is its end, and so is our own time limit. */
function willPass(error: unknown): error is UpstreamError {
  if (!(error instanceof UpstreamError)) return false;
  if (error.cause instanceof OutgoingError) return error.cause.willPass;
  if (error.cause instanceof UnreadableAnswer) return true;
  return (error.status ?? 0) >= 400 && ['unavailable', 'busy', 'timeout'].includes(error.fault);
}

function restAfter({ retryAfterMs }: UpstreamError): number {
  return Math.min(Math.max(restMsMin, retryAfterMs ?? 0), restMsMax);
}

/** What went wrong with a question about a job that the service has taken on. */
export function ofTakenJob(error: UpstreamError, upstreamRequestId: string | null): UpstreamError {
  // Where the service itself sent us, nothing is a matter of the job or the model any more.
  const isMisled = error.fault === 'unsupported' || error.fault === 'bad_request';
  return restated(error, {
    possiblyCharged: true,
    upstreamRequestId,
    ...(isMisled && { fault: 'protocol' as const }),
  });
}
