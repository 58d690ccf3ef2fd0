/** One exchange with an upstream, its troubles turned into faults. */
import { ByteCollector } from '../../lib/byte-collector.ts';
import {
  type GuardedHttp,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingProblem,
  type OutgoingRequest,
} from '../../lib/guarded-http.ts';
import { type CutJson, parseCutJson } from '../../lib/json-cut.ts';
import { type Fault, UpstreamError } from '../upstream.ts';
import { type ErrorRules, errorOfAnswer, requestIdOf } from './faults.ts';
import { answerLimits } from './limits.ts';

/** Sends a request; an answer with another status than 2xx throws, its body read for the reason. */
export async function ask(
  http: GuardedHttp,
  request: OutgoingRequest,
  { signal, rules }: { signal: AbortSignal; rules?: ErrorRules },
): Promise<OutgoingAnswer> {
  const answer = await upstreamErrors(http.send(request, signal), { wasAnswered: false });
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw await failureOf(answer, rules);
}

/** Reads an answer as JSON in which long strings are `CutString`s. */
export async function readJson(answer: OutgoingAnswer, bytesMax?: number): Promise<unknown> {
  const bytes = await readBytes(answer, bytesMax ?? answerLimits.documentBytesMax);
  const parsed = parseAnswer(bytes);
  if (parsed.kind === 'value') return parsed.value;
  throw brokenAnswer(answer, `the answer is not usable JSON (${parsed.reason})`);
}

/** Reads a whole body; one that is longer than allowed is a `protocol` fault. */
export async function readBytes(answer: OutgoingAnswer, bytesMax: number): Promise<Buffer> {
  const collector = new ByteCollector(bytesMax);
  for await (const piece of readPieces(answer)) {
    if (!collector.add(piece)) throw brokenAnswer(answer, `the answer has over ${bytesMax} bytes`);
  }
  return collector.take();
}

/** The body as it comes, its troubles turned into faults: the work may have been done and billed. */
export async function* readPieces(answer: OutgoingAnswer): AsyncGenerator<Buffer, void, void> {
  try {
    yield* answer.body;
  } catch (error) {
    throw upstreamErrorOf(error, { wasAnswered: true, ...statedBy(answer) });
  }
}

export function parseAnswer(bytes: Buffer): CutJson {
  return parseCutJson(bytes, {
    depthMax: answerLimits.documentDepthMax,
    restBytesMax: answerLimits.documentTextBytesMax,
  });
}

/**
 * The error for an answer that claims success and has no picture, or none that can be read: the work
 * may have been done and billed.
 */
export function brokenAnswer(answer: AnswerHead, words: string): UpstreamError {
  return new UpstreamError('protocol', words, { ...statedBy(answer), possiblyCharged: true });
}

type AnswerHead = Pick<OutgoingAnswer, 'status' | 'headers'>;

/** What an answer says of itself, for the errors it leads to. */
export function statedBy(answer: AnswerHead): { status: number; upstreamRequestId?: string } {
  const upstreamRequestId = requestIdOf(answer.headers);
  return { status: answer.status, ...(upstreamRequestId !== null && { upstreamRequestId }) };
}

/** As the promise, with what stops it turned into an UpstreamError. */
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

/**
 * @param wasAnswered whether the upstream had begun to answer; also true of a timeout of ours, it
 * means that the work may have been done and billed
 */
export function upstreamErrorOf(
  error: unknown,
  { wasAnswered, ...stated }: { wasAnswered: boolean; status?: number; upstreamRequestId?: string },
): unknown {
  if (!(error instanceof OutgoingError)) return error;
  const { problem } = error;
  return new UpstreamError(faultsOfProblems[problem], error.message, {
    ...stated,
    // Without a connection nobody has heard of the job.
    possiblyCharged:
      (wasAnswered && problem !== 'unsendable') || problem === 'cut' || problem === 'slow',
    cause: error,
  });
}

async function failureOf(answer: OutgoingAnswer, rules?: ErrorRules): Promise<UpstreamError> {
  const { status, headers } = answer;
  return errorOfAnswer({ status, headers, said: await readErrorBody(answer) }, rules);
}

/** What an error answer says, if it says it in JSON and briefly; null otherwise. */
export async function readErrorBody(answer: OutgoingAnswer): Promise<unknown> {
  try {
    const bytes = await readBytes(answer, answerLimits.errorBytesMax);
    const parsed = parseAnswer(bytes);
    return parsed.kind === 'value' ? parsed.value : null;
  } catch (error) {
    // Its status says enough; only a stop of ours goes on.
    if (error instanceof UpstreamError) return null;
    throw error;
  }
}
