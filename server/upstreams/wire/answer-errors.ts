/** What goes wrong with an answer, as faults. */
import { OutgoingError, type OutgoingProblem } from '../../lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { type Fault, UpstreamError } from '../upstream.ts';
import { requestIdOf } from './request-id.ts';

/**
 * The error for an answer that claims success and has no picture, or none that can be read: the work
 * may have been done and billed.
 */
export function brokenAnswer(answer: AnswerHead, words: string, cause?: Error): UpstreamError {
  return new UpstreamError('protocol', words, {
    ...statedBy(answer),
    possiblyCharged: true,
    cause,
  });
}

type AnswerHead = Pick<OutgoingAnswer, 'status' | 'headers'>;

/** Status and request ID of an answer, for errors about it. */
export function statedBy(answer: AnswerHead): { status: number; upstreamRequestId?: string } {
  const upstreamRequestId = requestIdOf(answer.headers);
  return { status: answer.status, ...(upstreamRequestId !== null && { upstreamRequestId }) };
}

/**
 * Waits for work with an upstream; whatever it rejects with becomes an UpstreamError.
 *
 * @param wasAnswered see {@link upstreamErrorOf}
 */
export async function upstreamErrors<T>(
  work: Promise<T>,
  { wasAnswered }: { wasAnswered: boolean },
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw upstreamErrorOf(error, { wasAnswered });
  }
}

const faultsOfProblems: Readonly<Record<OutgoingProblem, Fault>> = {
  // What cannot be sent came with the credential; the other headers are our own.
  unsendable: 'auth',
  connect: 'unavailable',
  cut: 'unavailable',
  slow: 'timeout',
  forbidden: 'protocol',
  too_large: 'protocol',
  status: 'protocol',
  encoding: 'protocol',
};

/** Problems of a request that went out. */
const wasHeard: readonly OutgoingProblem[] = ['cut', 'slow', 'too_large'];

/**
 * @param wasAnswered whether the upstream had begun to answer; also true of a timeout of ours, it
 * means that the work may have been done and billed
 */
export function upstreamErrorOf(
  error: unknown,
  { wasAnswered, ...stated }: { wasAnswered: boolean; status?: number; upstreamRequestId?: string },
): unknown {
  if (!(error instanceof OutgoingError)) return error;
  const { problem, isUnsent } = error;
  return new UpstreamError(faultsOfProblems[problem], error.message, {
    ...stated,
    // Without a connection nobody has heard of the job, and without its end nobody can have begun it.
    possiblyCharged:
      (wasAnswered && problem !== 'unsendable') || (wasHeard.includes(problem) && !isUnsent),
    cause: error,
  });
}
