/**
 * Reads from an error answer which fault it is. Refusals are told by structured codes only, never
 * by words such as "policy" in a message: an account that is blocked is not a prompt that is
 * declined.
 */
import { z } from 'zod';
import { type Fault, UpstreamError } from '../upstream.ts';

/** An upstream's error in the shapes that image services use. */
export interface ErrorSaid {
  code: string | null;
  type: string | null;
  /** The field it is about. */
  param: string | null;
  /** For matching only: it never goes into a message of ours, for it may quote the prompt. */
  message: string | null;
}

/** What one protocol or dialect knows better than the common rules. */
export interface ErrorRules {
  /** Codes and types that mean a fault here. */
  codes?: Readonly<Record<string, Fault>>;
  /** Statuses that mean a fault here, when no code says otherwise. */
  statuses?: Readonly<Record<number, Fault>>;
}

export interface FailedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The parsed body, or null. */
  said: unknown;
}

/** The error for an answer whose status is not 2xx, or whose body says that it failed. */
export function errorOfAnswer(answer: FailedAnswer, rules: ErrorRules = {}): UpstreamError {
  const said = readErrorSaid(answer.said);
  const code = machineWord(said.code) ?? machineWord(said.type);
  const retryAfterMs = retryAfterOf(answer.headers);
  const upstreamRequestId = requestIdOf(answer.headers);
  const fault = faultOf(answer.status, said, rules);
  const words = `answered with status ${answer.status}${code === null ? '' : ` (${code})`}`;
  return new UpstreamError(fault, words, {
    status: answer.status,
    ...(code !== null && { upstreamCode: code }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...(upstreamRequestId !== null && { upstreamRequestId }),
  });
}

export function faultOf(status: number, said: ErrorSaid, rules: ErrorRules = {}): Fault {
  return faultOfCode(said, rules) ?? rules.statuses?.[status] ?? faultOfStatus(status, said);
}

/** The fault that a code or type names, wherever it stands; null when none of them is known. */
export function faultOfCode(said: ErrorSaid, rules: ErrorRules = {}): Fault | null {
  for (const word of [said.code, said.type]) {
    if (word === null) continue;
    const fault = rules.codes?.[word] ?? commonCodes.get(word);
    if (fault) return fault;
  }
  return null;
}

const commonCodes: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['moderation_blocked', 'refused'],
  ['content_policy_violation', 'refused'],
  ['content_filter', 'refused'],
  ['image_content_policy_violation', 'refused'],
  ['ResponsibleAIPolicyViolation', 'refused'],
  ['bio_policy', 'refused'],
  ['insufficient_quota', 'quota'],
  ['billing_hard_limit_reached', 'quota'],
  ['billing_not_active', 'quota'],
  ['account_deactivated', 'auth'],
  ['invalid_api_key', 'auth'],
  ['authentication_error', 'auth'],
  ['permission_denied', 'auth'],
  ['model_not_found', 'unsupported'],
  ['DeploymentNotFound', 'unsupported'],
  ['unsupported_model', 'unsupported'],
  ['rate_limit_exceeded', 'busy'],
  ['rate_limit_error', 'busy'],
  ['server_overloaded', 'busy'],
  ['engine_overloaded', 'busy'],
  ['overloaded_error', 'busy'],
  ['server_error', 'unavailable'],
]);

function faultOfStatus(status: number, said: ErrorSaid): Fault {
  switch (status) {
    case 401:
    // Without a refusal code a 403 speaks of our account, not of the prompt.
    case 403:
      return 'auth';
    case 402:
      return 'quota';
    case 404:
    case 405:
    case 501:
      return 'unsupported';
    case 408:
    case 504:
      return 'timeout';
    case 409:
    case 425:
    case 429:
      return 'busy';
    default:
      if (status >= 500) return 'unavailable';
      if (status < 400) return 'protocol';
      return said.param === 'model' ? 'unsupported' : 'bad_request';
  }
}

const textOrNull = z.string().nullish().catch(null);

const errorObject = z.object({
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  type: textOrNull,
  param: textOrNull,
  message: textOrNull,
  status: textOrNull,
  /** Azure's: `error.innererror.code`. */
  innererror: z.object({ code: textOrNull }).nullish().catch(null),
});

const errorBody = z.object({
  error: z.union([errorObject, z.string()]).nullish().catch(null),
  errors: z.array(errorObject).nullish().catch(null),
  detail: z
    .union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .nullish()
    .catch(null),
  message: textOrNull,
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  type: textOrNull,
});

/** Whether a body of status 200 is an error all the same. */
export function saysError(body: unknown): boolean {
  const parsed = errorBody.safeParse(body);
  return parsed.success && (parsed.data.error ?? null) !== null;
}

/** `{error:{code,type,message}}`, `{error:"…"}`, `{errors:[…]}`, `{detail}`, `{message}`. */
export function readErrorSaid(body: unknown): ErrorSaid {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return { code: null, type: null, param: null, message: null };
  const { error, errors, detail, message, code, type } = parsed.data;
  if (typeof error === 'string') {
    // Some give the name of what went wrong: `OutOfMemoryError`, `server_error`.
    return { code: word(code) ?? machineWord(error), type: null, param: null, message: error };
  }
  const said = error ?? errors?.[0];
  if (said) {
    return {
      code: said.innererror?.code ?? word(said.code),
      type: said.type ?? said.status ?? null,
      param: said.param ?? null,
      message: said.message ?? null,
    };
  }
  const plain = typeof detail === 'string' ? detail : (message ?? null);
  return { code: word(code), type: type ?? null, param: null, message: plain };
}

function word(code: string | number | null | undefined): string | null {
  return code === null || code === undefined ? null : String(code);
}

/** A code as it may be stored and shown: a short machine word, never a sentence. */
export function machineWord(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/.test(text) ? text : null;
}

const requestIdHeaders = [
  'x-request-id',
  'request-id',
  'apim-request-id',
  'x-amzn-requestid',
  'x-goog-request-id',
  'x-fal-request-id',
];

/** The upstream's own identifier of the request, for its support. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  for (const name of requestIdHeaders) {
    const id = headers[name];
    if (id !== undefined && /^[\x21-\x7e]{1,200}$/.test(id)) return id;
  }
  return null;
}

const retryAfterMsMax = 24 * 3_600_000;

/** In milliseconds; of the two header forms only the number of seconds, as no date needs a clock then. */
function retryAfterOf(headers: Readonly<Record<string, string>>): number | null {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  const wait = Number.isFinite(ms) ? ms : Number(headers['retry-after'] ?? Number.NaN) * 1000;
  return Number.isFinite(wait) && wait >= 0 ? Math.min(wait, retryAfterMsMax) : null;
}
