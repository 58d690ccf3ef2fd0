/** One exchange with an upstream, its troubles turned into faults. */

import { type CutJson, CutString, parseCutJson } from '../../lib/bytes/json-cut.ts';
import { memoryPool } from '../../lib/bytes/memory-pool.ts';
import type { GuardedHttp, OutgoingRequest } from '../../lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { UpstreamError } from '../upstream.ts';
import { brokenAnswer, upstreamErrors } from './answer-errors.ts';
import { AnswerBytes, AnswerReader, readRest } from './answer-reader.ts';
import { type ErrorRules, errorOfAnswer } from './faults.ts';
import { UnreadableAnswer } from './insist.ts';
import { answerLimits } from './limits.ts';

export { brokenAnswer, statedBy, upstreamErrorOf, upstreamErrors } from './answer-errors.ts';

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
  return jsonOf(bytes, answer);
}

/** The JSON of an answer that was read; where it is none, its memory is given back. */
export function jsonOf(bytes: Buffer, answer: OutgoingAnswer): unknown {
  const parsed = parseAnswer(bytes);
  if (parsed.kind === 'value') return parsed.value;
  memoryPool.giveBack(bytes);
  const words = `the answer is not usable JSON (${parsed.reason})`;
  throw brokenAnswer(answer, words, new UnreadableAnswer(words));
}

/** Reads a whole body; one that is longer than allowed is a `protocol` fault. */
export async function readBytes(answer: OutgoingAnswer, bytesMax: number): Promise<Buffer> {
  const begun = new AnswerBytes(answer, bytesMax);
  return await readRest({ reader: new AnswerReader(answer), begun });
}

export function parseAnswer(bytes: Buffer): CutJson {
  return parseCutJson(bytes, {
    depthMax: answerLimits.documentDepthMax,
    restBytesMax: answerLimits.documentTextBytesMax,
    // Pictures are, before anybody is shown one.
    longStringsAreChecked: true,
  });
}

/**
 * Gives the memory of an answer or an event back whose pictures nobody needs; all of them lie in it. Whoever
 * forgets to leaves it to the garbage collector.
 */
export function dropPictures(said: unknown): void {
  if (said instanceof CutString) memoryPool.giveBack(said.bytes);
  else if (typeof said === 'object' && said !== null) {
    for (const part of Object.values(said)) dropPictures(part);
  }
}

async function failureOf(answer: OutgoingAnswer, rules?: ErrorRules): Promise<UpstreamError> {
  const { status, headers } = answer;
  return errorOfAnswer({ status, headers, said: await readErrorBody(answer) }, rules);
}

/**
 * The body of an error answer; null where it is not JSON, or too long. One that is labelled as JSON has the limits of a
 * picture's answer, because it may repeat the request with its pictures, which are dropped here. Another may be a page,
 * and is only worth a short look.
 */
export async function readErrorBody(answer: OutgoingAnswer): Promise<unknown> {
  const isJson = /\bjson\b/i.test(answer.headers['content-type'] ?? '');
  const { documentBytesMax, errorBytesMax } = answerLimits;
  try {
    const bytes = await readBytes(answer, isJson ? documentBytesMax : errorBytesMax);
    const parsed = parseAnswer(bytes);
    if (parsed.kind !== 'value') return null;
    dropPictures(parsed.value);
    return parsed.value;
  } catch (error) {
    // Its status says enough; only a stop of ours goes on.
    if (error instanceof UpstreamError) return null;
    throw error;
  }
}
