/**
 * Reads from an error answer which fault it is. Refusals are told by structured codes, never by
 * words such as "policy" in a message: an account that is blocked is not a prompt that is declined.
 * Where a vendor has no code for them, its own sentence counts, and no other: else a prompt that it
 * declines would pass for trouble with the key.
 */
import { type Fault, UpstreamError } from '../upstream.ts';
import { commonFaultOf } from './common-codes.ts';
import { type ErrorSaid, readErrorSaid } from './error-said.ts';
import { machinePath, machineWord } from './machine-word.ts';
import { requestIdOf } from './request-id.ts';
import { retryAfterOf, waitSaid } from './retry-after.ts';

/** What one protocol or dialect knows better than the common rules. */
export interface ErrorRules {
  /** Codes and types that mean a fault here. */
  codes?: Readonly<Record<string, Fault>>;
  /** What is said with no code of its own; more than the code. Of a refusal, how the whole message begins. */
  sentences?: readonly Sentence[];
  /** Statuses that mean a fault here, when no code says otherwise. */
  statuses?: Readonly<Record<number, Fault>>;
  /** `metadata.reasons`: members of the error of which one stands in it only when content was declined. */
  refusedBy?: readonly string[];
  /**
   * Types of errors that a gateway hands on from the service behind it: a key or money that is wrong
   * there is not ours.
   */
  typesBehind?: readonly string[];
}

type Sentence = readonly [words: RegExp, means: Fault];

export interface FailedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The parsed body, or null. */
  said: unknown;
}

/** The error for an answer whose status is not 2xx, or whose body says that it failed. */
export function errorOfAnswer(answer: FailedAnswer, rules: ErrorRules = {}): UpstreamError {
  const said = readErrorSaid(answer.said);
  const code = shownCode(said);
  const param = machinePath(said.param);
  const upstreamRequestId = requestIdOf(answer.headers);
  const fault = faultOfPage(answer) ?? faultOfBody(answer, said, rules);
  const retryAfterMs =
    retryAfterOf(answer.headers) ?? (fault === 'busy' ? waitSaid(said.message) : null);
  const words = `answered with status ${answer.status}${code === null ? '' : ` (${code})`}`;
  return new UpstreamError(fault, words, {
    status: answer.status,
    ...(code !== null && { upstreamCode: code }),
    ...(param !== null && { upstreamParam: param }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...(upstreamRequestId !== null && { upstreamRequestId }),
    possiblyCharged: mayHaveWorked(answer.status, said, fault),
  });
}

/**
 * Services say in JSON that they do not take a credential. A page is of what stands before them, such as a
 * firewall that finds a prompt with a command in it suspicious: no caller may bring a key to rest by one.
 */
function faultOfPage({ status, headers, said }: FailedAnswer): Fault | null {
  const isPage = said === null && /^text\/html\b/i.test(headers['content-type'] ?? '');
  return isPage && status === 403 ? 'protocol' : null;
}

function faultOfBody(answer: FailedAnswer, said: ErrorSaid, rules: ErrorRules): Fault {
  return isDeclined(answer.said, rules) ? 'refused' : faultOf(answer.status, said, rules);
}

/** Follows the paths of the rules below the body's `error`. */
function isDeclined(body: unknown, { refusedBy = [] }: ErrorRules): boolean {
  return refusedBy.some((path) => hasMember(body, ['error', ...path.split('.')]));
}

function hasMember(body: unknown, path: readonly string[]): boolean {
  const found = path.reduce<unknown>(
    (value, member) =>
      typeof value === 'object' && value !== null
        ? Object.getOwnPropertyDescriptor(value, member)?.value
        : undefined,
    body,
  );
  return (found ?? null) !== null;
}

/**
 * Whether the work may have been done all the same: after a gateway gave up waiting for it, or when
 * success was claimed and nothing says what became of it. A 408 alone says that the request did not
 * arrive in time; a gateway that says it in words, as LiteLLM does, has waited for the work.
 */
function mayHaveWorked(status: number, { code }: ErrorSaid, fault: Fault): boolean {
  if (status === 504 || status === 524) return true;
  if (fault === 'timeout') return status !== 408 || code !== null;
  return status < 300 && ['protocol', 'unavailable'].includes(fault);
}

/** A word says more than a number that repeats the status. */
function shownCode({ code, type }: ErrorSaid): string | null {
  const words = [machineWord(code), machineWord(type)].filter((each) => each !== null);
  return words.find((each) => !/^\d+$/.test(each)) ?? words[0] ?? null;
}

export function faultOf(status: number, said: ErrorSaid, rules: ErrorRules = {}): Fault {
  const fault = faultSaid(status, said, rules);
  const isBehind = rules.typesBehind?.includes(said.type ?? '') ?? false;
  return isBehind && ['auth', 'quota'].includes(fault) ? 'unavailable' : fault;
}

function faultSaid(status: number, said: ErrorSaid, rules: ErrorRules): Fault {
  const byCode = faultOfCode(said, rules);
  if (byCode === 'refused') return byCode;
  const bySentence = faultOfSentence(said, rules);
  return bySentence ?? byCode ?? faultKept(status, said, rules) ?? faultOfStatus(status, said);
}

/** What is declined is content: a field that holds none is wrong, with the status of a refusal too. */
function faultKept(status: number, said: ErrorSaid, { statuses }: ErrorRules): Fault | null {
  const kept = statuses?.[status] ?? null;
  const isOfField = namesField(said) && !/prompt|image|mask/i.test(said.param ?? '');
  return kept === 'refused' && isOfField ? null : kept;
}

/** The fault that a code or type names, wherever it stands; null when none of them is known. */
export function faultOfCode(said: ErrorSaid, rules: ErrorRules = {}): Fault | null {
  const { codes = {} } = rules;
  for (const word of [said.code, said.type]) {
    if (word === null) continue;
    const fault = Object.hasOwn(codes, word) ? codes[word] : commonFaultOf(word);
    if (fault) return fault;
  }
  return null;
}

function faultOfSentence({ message }: ErrorSaid, { sentences = [] }: ErrorRules): Fault | null {
  const found = [...sentences, ...commonSentences].find(([words]) => words.test(message ?? ''));
  return found?.[1] ?? null;
}

const commonSentences: readonly Sentence[] = [
  // OpenAI keeps some models from some organizations, whose keys are good for the others.
  [/\borganization must be verified to use the model\b/i, 'unsupported'],
  // Its image tool, of a model that there is not, with the code of every wrong field.
  [/^the model ['"`][^'"`]{1,200}['"`] does not exist\b/i, 'unsupported'],
];

function faultOfStatus(status: number, said: ErrorSaid): Fault {
  switch (status) {
    case 401:
    case 403: // Without a refusal code it speaks of our account, not of the prompt.
      return 'auth';
    case 402:
      return 'quota';
    case 404:
    case 405:
    case 410:
    case 413:
    case 415:
    case 501:
    case 407: // From here on it is about how we speak to it, in which the job has no part.
    case 411:
    case 414:
    case 421:
    case 431:
      return 'unsupported';
    case 408:
    case 504:
    case 524:
      return 'timeout';
    case 409:
    case 425:
    case 429:
    case 529:
      return 'busy';
    case 424: // What failed is a service behind it.
      return 'unavailable';
    default:
      if (status >= 500) return 'unavailable';
      if (status < 400) return faultInside(said);
      return faultOfRequest(said);
  }
}

/** Some gateways claim success and put the status into the error: `{error: {code: 429}}`. */
function faultInside(said: ErrorSaid): Fault {
  const status = /^[45]\d\d$/.test(said.code ?? '') ? Number(said.code) : null;
  if (status !== null) return faultOfStatus(status, said);
  const isOfRequest = namesField(said) || requestErrors.includes(said.type ?? '');
  return isOfRequest ? faultOfRequest(said) : 'protocol';
}

/** Many gateways leave it empty, or write what Python calls nothing. */
function namesField({ param }: ErrorSaid): boolean {
  return machinePath(param) !== null && param !== 'None';
}

/** Types of OpenAI's that leave open what was wrong with the request. */
const requestErrors = ['invalid_request_error', 'image_generation_user_error'];

/** The model is the operator's choice, wherever it stands: `model`, `tools[0].model`. */
function faultOfRequest({ param }: ErrorSaid): Fault {
  return /(^|\.)model$/.test(param ?? '') ? 'unsupported' : 'bad_request';
}
