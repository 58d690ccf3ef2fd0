import type { OutgoingAnswer } from '../../lib/guarded-http.ts';
import { UpstreamError } from '../upstream.ts';
import { statedBy } from '../wire/ask.ts';
import { type ErrorRules, faultOf, machineWord, readErrorSaid } from '../wire/faults.ts';

/** The error for a successful answer, or an event of one, that says or shows that it is none. */
export function failureInside(
  answer: OutgoingAnswer,
  said: unknown,
  rules: ErrorRules,
): UpstreamError {
  const error = readErrorSaid(said);
  // Services that answer 200 at once put the status of what went wrong later into the code.
  const fault = faultOf(statusOfCode(error.code) ?? answer.status, error, rules);
  const code = machineWord(error.code) ?? machineWord(error.type);
  return new UpstreamError(fault, `its answer is an error${code === null ? '' : ` (${code})`}`, {
    ...statedBy(answer),
    ...(code !== null && { upstreamCode: code }),
    // An answer that is neither a picture nor an error may be the end of work that was done.
    possiblyCharged: fault === 'protocol',
  });
}

export function declined(answer: OutgoingAnswer): UpstreamError {
  return new UpstreamError('refused', 'it held the picture back', {
    ...statedBy(answer),
    possiblyCharged: true,
  });
}

function statusOfCode(code: string | null): number | null {
  return code !== null && /^[45]\d\d$/.test(code) ? Number(code) : null;
}
