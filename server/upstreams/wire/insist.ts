import type { Clock } from '../../lib/clock.ts';
import { OutgoingError } from '../../lib/outgoing/guarded-http.ts';
import { UpstreamError } from '../upstream.ts';
import { restated } from './restated.ts';

const retriesMax = 3;
const restMsMin = 1_000;
const restMsMax = 10_000;

/**
 * Asks again when a question fails by trouble on the way: for questions about a job that the service has taken on,
 * such as how it is doing or where its picture is. They cost nothing, while a job that is given up for a moment's
 * trouble is paid for and lost. Only for questions that may be asked any number of times.
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
 * Marks, as the cause of an UpstreamError, an answer that cannot be read at all. It tells nothing of the job: it comes
 * from something in between, such as a proxy with a page of its own, rather than from the service.
 */
export class UnreadableAnswer extends Error {}

/** Whether an error is trouble on the way. What the service says of the job itself is final; so is our own time limit. */
function willPass(error: unknown): error is UpstreamError {
  if (!(error instanceof UpstreamError)) return false;
  if (error.cause instanceof OutgoingError) return error.cause.willPass;
  if (error.cause instanceof UnreadableAnswer) return true;
  return (error.status ?? 0) >= 400 && ['unavailable', 'busy', 'timeout'].includes(error.fault);
}

function restAfter({ retryAfterMs }: UpstreamError): number {
  return Math.min(Math.max(restMsMin, retryAfterMs ?? 0), restMsMax);
}

/**
 * The error of a question about a job that the service has taken on: the job may be charged, and the fault is never
 * one that puts the blame on the job or the model.
 */
export function ofTakenJob(error: UpstreamError, upstreamRequestId: string | null): UpstreamError {
  // Where the service itself sent us, nothing is a matter of the job or the model any more.
  const isMisled = error.fault === 'unsupported' || error.fault === 'bad_request';
  return restated(error, {
    possiblyCharged: true,
    upstreamRequestId,
    ...(isMisled && { fault: 'protocol' as const }),
  });
}
