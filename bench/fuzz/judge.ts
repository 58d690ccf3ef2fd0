/** What must not be said or happen, whatever was sent. */
import { inspectImage } from '../../server/lib/pictures/inspect-image.ts';
import { errorCodes } from '../../shared/error-codes.ts';
import { upstreamCanary } from '../../test/hostile/upstream-kinds.ts';
import type { Heard, RawAnswer } from './send-bytes.ts';

/** What a request may be answered with; the last are for memory that is full and methods nobody knows. */
const requestStatuses = [
  200, 204, 400, 401, 403, 404, 405, 408, 413, 415, 417, 426, 429, 431, 502, 503,
];
const upstreamStatuses = [200, 400, 429, 502, 503];
const inwards =
  /\bat \S+ \(|node:internal|node_modules|\/server\/|select .* from|SQLITE|Cannot read/i;

export function judgeRequest({ answers, rest, isClosed }: Heard): string[] {
  const findings = answers.flatMap((answer) => judgeAnswer(answer, requestStatuses));
  if (!isClosed) findings.push('the connection stayed open');
  // A client that leaves may miss the end of an answer, but nobody else's beginning.
  if (rest !== '' && !rest.startsWith('HTTP/1.1 ')) findings.push(`it said ${rest.slice(0, 80)}`);
  return findings;
}

export interface UpstreamResult extends RawAnswer {
  isStream: boolean;
  credential: string;
}

export function judgeResult({ isStream, credential, ...answer }: UpstreamResult): string[] {
  const findings = judgeAnswer(answer, upstreamStatuses);
  if (answer.text.includes(upstreamCanary)) findings.push('it repeats what the upstream said');
  if (answer.text.includes(credential)) findings.push('it tells the credential');
  if (answer.text.includes('"insufficient_quota"')) findings.push('the quota is not the user’s');
  if (answer.status === 200) findings.push(...judgePicture(answer.text, isStream));
  return findings;
}

function judgeAnswer({ status, text }: RawAnswer, statuses: readonly number[]): string[] {
  const findings: string[] = [];
  if (!statuses.includes(status)) findings.push(`status ${status}`);
  const [head, body] = splitHead(text);
  if (status >= 400) findings.push(...judgeError(head, body));
  return findings;
}

function splitHead(text: string): readonly [string, string] {
  const end = text.indexOf('\r\n\r\n');
  return [text.slice(0, end), text.slice(end + 4)];
}

function judgeError(head: string, body: string): string[] {
  // The answer to HEAD has none.
  if (body === '') return [];
  if (inwards.test(body)) return [`it shows what is inside: ${body.slice(0, 200)}`];
  try {
    // Whatever it is, it is looked at as what it should be.
    const { error } = JSON.parse(body) as { error?: { code?: string; trace_id?: string } };
    const isKnown = errorCodes.some((code) => code === error?.code);
    const traceId = error?.trace_id ?? '';
    if (isKnown && traceId !== '' && head.includes(traceId)) return [];
  } catch {
    // Said below.
  }
  return [`an error that is none of ours: ${body.slice(0, 200)}`];
}

function judgePicture(text: string, isStream: boolean): string[] {
  const [, body] = splitHead(text);
  const last = isStream ? body.trimEnd().split('\n\n').at(-1) : body;
  if (isStream && /^event: error$/m.test(last ?? '')) return [];
  const base64 = /"b64_json":"([^"]*)"/.exec(last ?? '')?.[1];
  const image = { encoding: 'base64', ascii: Buffer.from(base64 ?? '') } as const;
  return inspectImage(image) ? [] : [`a success without a picture: ${body.slice(0, 200)}`];
}
