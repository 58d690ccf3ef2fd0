/** What the Responses API says when there is no picture, as faults. */
import { type Fault, UpstreamError } from '../upstream.ts';
import type { ErrorSaid } from '../wire/error-said.ts';
import { type ErrorRules, faultOf } from '../wire/faults.ts';
import { machineWord } from '../wire/machine-word.ts';
import { waitSaid } from '../wire/retry-after.ts';

/**
 * Codes of `ResponseError`, of `ImageGenerationCall.Error` and of `IncompleteDetails` beyond those
 * that every service uses. Source: the npm package openai 7.55,
 * `resources/responses/responses.d.ts`.
 */
export const responsesRules: ErrorRules = {
  codes: {
    // The prompt was declined before the picture was begun.
    invalid_prompt: 'refused',
    misalignment_policy_violation: 'refused',
    // The account's data must stay where this service is not.
    data_residency_mismatch: 'unsupported',
    // Something is wrong with a reference image or the mask.
    invalid_image: 'bad_request',
    invalid_image_format: 'bad_request',
    invalid_image_mode: 'bad_request',
    invalid_image_url: 'bad_request',
    invalid_base64_image: 'bad_request',
    image_too_large: 'bad_request',
    image_too_small: 'bad_request',
    image_parse_error: 'bad_request',
    image_file_too_large: 'bad_request',
    image_file_not_found: 'bad_request',
    empty_image_file: 'bad_request',
    failed_to_download_image: 'bad_request',
    unsupported_image_media_type: 'bad_request',
    // A type, not a code: whatever else the image tool finds wrong with its fields.
    image_generation_user_error: 'bad_request',
    // Reasons of an incomplete response. The host model wrote until it had to stop.
    max_output_tokens: 'protocol',
    max_messages: 'protocol',
    steered: 'protocol',
  },
};

/** What is known of an exchange that failed although its status said otherwise. */
export interface Standing {
  status: number;
  upstreamRequestId: string | null;
  retryAfterMs?: number | null;
}

/** For an error that came in an event or an item, where no status says what it is. */
export function failureSaid(what: string, said: ErrorSaid, standing: Standing): UpstreamError {
  const upstreamCode = machineWord(said.code) ?? machineWord(said.type);
  const fault = faultOf(likelyStatus(said), said, responsesRules);
  const message = upstreamCode === null ? what : `${what} (${upstreamCode})`;
  const retryAfterMs = fault === 'busy' ? waitSaid(said.message) : null;
  return failure(fault, message, { ...standing, retryAfterMs }, upstreamCode);
}

/** Of an error without a known code: some gateways put the status there. */
function likelyStatus({ code, type, param }: ErrorSaid): number {
  if (/^[45]\d\d$/.test(code ?? '')) return Number(code);
  return type === 'invalid_request_error' || param !== null ? 400 : 500;
}

export function failure(
  fault: Fault,
  message: string,
  { status, upstreamRequestId, retryAfterMs = null }: Standing,
  upstreamCode: string | null = null,
): UpstreamError {
  return new UpstreamError(fault, message, {
    status,
    ...(upstreamCode !== null && { upstreamCode }),
    ...(upstreamRequestId !== null && { upstreamRequestId }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    possiblyCharged: !namesItsCause(fault),
  });
}

/** Who says why there is no picture has not made one. */
function namesItsCause(fault: Fault): boolean {
  return !['unavailable', 'timeout', 'protocol'].includes(fault);
}
