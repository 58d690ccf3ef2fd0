import { describe, expect, it } from 'vitest';
import type { Fault } from '../upstream.ts';
import { readErrorSaid } from './error-said.ts';
import { errorOfAnswer, faultOf } from './faults.ts';

interface Case {
  /** An answer … */
  title: string;
  status: number;
  said: unknown;
  fault: Fault;
  code?: string | null;
}

const openAi: readonly Case[] = [
  {
    title: 'of OpenAI that declines the prompt',
    status: 400,
    said: {
      error: { code: 'moderation_blocked', type: 'image_generation_user_error', message: '' },
    },
    fault: 'refused',
    code: 'moderation_blocked',
  },
  {
    title: 'of OpenAI about a field',
    status: 400,
    said: { error: { code: 'invalid_value', type: 'invalid_request_error', param: 'size' } },
    fault: 'bad_request',
    code: 'invalid_value',
  },
  {
    title: 'of OpenAI about the model',
    status: 400,
    said: { error: { code: 'invalid_value', type: 'invalid_request_error', param: 'model' } },
    fault: 'unsupported',
  },
  {
    title: 'of OpenAI about the key',
    status: 401,
    said: { error: { code: 'invalid_api_key', type: 'invalid_request_error' } },
    fault: 'auth',
  },
  {
    title: 'of OpenAI about money, with the status of too many requests',
    status: 429,
    said: { error: { code: 'insufficient_quota', type: 'insufficient_quota' } },
    fault: 'quota',
  },
  {
    title: 'of OpenAI about a limit of the account, with the status of a bad request',
    status: 400,
    said: { error: { code: 'billing_hard_limit_reached', type: null } },
    fault: 'quota',
  },
  {
    title: 'of OpenAI to too many requests',
    status: 429,
    said: { error: { code: 'rate_limit_exceeded', type: 'requests' } },
    fault: 'busy',
  },
  {
    title: 'whose code says nothing and whose type does',
    status: 400,
    said: { error: { code: 'E17', type: 'content_filter' } },
    fault: 'refused',
    code: 'E17',
  },
];

const azure: readonly Case[] = [
  {
    title: 'of Azure whose inner error declines the prompt',
    status: 400,
    said: {
      error: {
        code: 'content_policy_violation',
        innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_results: {} },
      },
    },
    fault: 'refused',
    code: 'ResponsibleAIPolicyViolation',
  },
  {
    title: 'of Azure whose inner error says nothing that we know',
    status: 400,
    said: { error: { code: 'contentFilter', innererror: { code: 'Other' } } },
    fault: 'refused',
    code: 'contentFilter',
  },
  {
    title: 'of Azure about a deployment',
    status: 404,
    said: { error: { code: 'DeploymentNotFound' } },
    fault: 'unsupported',
  },
  {
    title: 'of Azure that names the status as its code',
    status: 429,
    said: { error: { code: '429', message: 'Please retry' } },
    fault: 'busy',
    code: '429',
  },
];

const others: readonly Case[] = [
  {
    title: 'with an error of words',
    status: 500,
    said: { error: 'out of paint' },
    fault: 'unavailable',
    code: null,
  },
  {
    title: 'with an error of one word',
    status: 500,
    said: { error: 'OutOfMemoryError' },
    fault: 'unavailable',
    code: 'OutOfMemoryError',
  },
  {
    title: 'with an error of words, and a code',
    status: 400,
    said: { error: 'no', code: 'content_filter' },
    fault: 'refused',
    code: 'content_filter',
  },
  {
    title: 'with a type beside its words',
    status: 400,
    said: { type: 'rate_limit_error', message: 'Please slow down' },
    fault: 'busy',
    code: 'rate_limit_error',
  },
  {
    title: 'with a detail of words',
    status: 404,
    said: { detail: 'Not Found' },
    fault: 'unsupported',
    code: null,
  },
  {
    title: 'with a list of details',
    status: 422,
    said: { detail: [{ loc: ['body', 'size'], msg: 'bad size', type: 'value_error' }] },
    fault: 'bad_request',
    code: 'value_error',
  },
  {
    title: 'with a list of details about the model',
    status: 422,
    said: { detail: [{ loc: ['body', 'model'], msg: 'unknown', type: 'enum' }, { loc: 7 }] },
    fault: 'unsupported',
  },
  {
    title: 'with an error inside the detail',
    status: 403,
    said: { detail: { error: { code: 'content_filter' } } },
    fault: 'refused',
  },
  {
    title: 'with a code inside the detail',
    status: 400,
    said: { detail: { code: 'insufficient_balance', message: 'pay' } },
    fault: 'quota',
  },
  {
    title: 'with a list of errors',
    status: 401,
    said: { errors: [{ code: 10_000, message: 'no' }] },
    fault: 'auth',
    code: '10000',
  },
  {
    title: 'that is a list of errors',
    status: 400,
    said: [{ error: { code: 400, status: 'UNAUTHENTICATED', message: 'no' } }],
    fault: 'auth',
    code: 'UNAUTHENTICATED',
  },
  {
    title: 'with a message',
    status: 503,
    said: { message: 'later' },
    fault: 'unavailable',
    code: null,
  },
  {
    title: 'with a message and a code',
    status: 400,
    said: { message: 'no', code: 'ContentFilter' },
    fault: 'refused',
  },
  { title: 'that is a web page', status: 502, said: null, fault: 'unavailable', code: null },
  {
    title: 'that is a string',
    status: 400,
    said: 'content_filter',
    fault: 'bad_request',
    code: null,
  },
  {
    title: 'whose code is a sentence',
    status: 400,
    said: { error: { code: 'a fox on the ice' } },
    fault: 'bad_request',
    code: null,
  },
  {
    title: 'whose code is the name of a method',
    status: 400,
    said: { error: { code: 'constructor' } },
    fault: 'bad_request',
    code: 'constructor',
  },
];

const forbidden: readonly Case[] = [
  { title: '403 without a code', status: 403, said: {}, fault: 'auth' },
  {
    title: '403 whose message speaks of a policy',
    status: 403,
    said: { error: { message: 'Your account violates our content policy: access is disallowed' } },
    fault: 'auth',
  },
  {
    title: '400 whose message speaks of safety',
    status: 400,
    said: { error: { message: 'rejected by the safety system: content_policy_violation' } },
    fault: 'bad_request',
  },
  {
    title: '500 whose message speaks of moderation',
    status: 500,
    said: { error: 'the moderation_blocked worker is down' },
    fault: 'unavailable',
  },
  {
    title: '403 with a code of refusal',
    status: 403,
    said: { error: { code: 'content_filter' } },
    fault: 'refused',
  },
];

describe('the fault of an answer', () => {
  it.each([...openAi, ...azure, ...others, ...forbidden])('$title', (given) => {
    const error = errorOfAnswer({ status: given.status, headers: {}, said: given.said });
    expect(error.fault).toBe(given.fault);
    expect(error.status).toBe(given.status);
    if (given.code !== undefined) expect(error.upstreamCode).toBe(given.code);
  });

  it.each<[number, Fault]>([
    [302, 'protocol'],
    [400, 'bad_request'],
    [401, 'auth'],
    [402, 'quota'],
    [403, 'auth'],
    [404, 'unsupported'],
    [405, 'unsupported'],
    [407, 'unsupported'],
    [408, 'timeout'],
    [409, 'busy'],
    [410, 'unsupported'],
    [411, 'unsupported'],
    [413, 'unsupported'],
    [414, 'unsupported'],
    [415, 'unsupported'],
    [418, 'bad_request'],
    [421, 'unsupported'],
    [422, 'bad_request'],
    [424, 'unavailable'],
    [425, 'busy'],
    [429, 'busy'],
    [431, 'unsupported'],
    [451, 'bad_request'],
    [500, 'unavailable'],
    [501, 'unsupported'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'timeout'],
    [520, 'unavailable'],
    [524, 'timeout'],
    [529, 'busy'],
    [599, 'unavailable'],
  ])('of status %i alone is %s', (status, fault) => {
    expect(errorOfAnswer({ status, headers: {}, said: null }).fault).toBe(fault);
  });

  it.each<[unknown, Fault]>([
    [{ error: { code: 429, message: 'later' } }, 'busy'],
    [{ error: { code: 403, message: 'flagged' } }, 'auth'],
    [{ error: { code: 'content_filter' } }, 'refused'],
    [{ error: { type: 'invalid_request_error', param: 'size' } }, 'bad_request'],
    [{ error: { type: 'invalid_request_error', param: 'model' } }, 'unsupported'],
    [{ error: { code: 200 } }, 'protocol'],
    [{ error: 'no more paint' }, 'protocol'],
  ])('inside an answer that claims success: %j is %s', (said, fault) => {
    expect(errorOfAnswer({ status: 200, headers: {}, said }).fault).toBe(fault);
  });

  it('is what the rules of a protocol say, first by code and then by status', () => {
    const rules = {
      codes: { flagged: 'refused', rate_limit_exceeded: 'quota' },
      statuses: { 400: 'unsupported', 429: 'unavailable' },
    } as const;
    const fault = (status: number, code: string) =>
      faultOf(status, readErrorSaid({ error: { code } }), rules);
    expect(fault(400, 'flagged')).toBe('refused');
    expect(fault(429, 'rate_limit_exceeded')).toBe('quota');
    expect(fault(429, 'insufficient_quota')).toBe('quota');
    expect(fault(400, 'other')).toBe('unsupported');
    expect(fault(429, 'other')).toBe('unavailable');
    expect(fault(404, 'other')).toBe('unsupported');
  });
});

describe('the field that an error answer is about', () => {
  it.each([
    ['a name', 'output_compression', 'output_compression'],
    ['a path', 'image.0', 'image.0'],
    ['a path with brackets', 'tools[0].size', 'tools[0].size'],
    ['a sentence', 'the prompt "a fox" is', null],
    ['no text', 17, null],
    ['too long', 'x'.repeat(65), null],
    ['as long as it may be', 'x'.repeat(64), 'x'.repeat(64)],
  ])('is kept when it is a short machine word: %s', (_title, param, expected) => {
    const said = { error: { code: 'invalid_value', param } };
    expect(errorOfAnswer({ status: 400, headers: {}, said }).upstreamParam).toBe(expected);
  });

  it.each<[number, string, Fault]>([
    [400, 'size', 'bad_request'],
    [400, 'model', 'unsupported'],
    // In a stream that has begun.
    [200, 'size', 'bad_request'],
    [200, 'model', 'unsupported'],
  ])('may stand at the top, with status %i: %s', (status, param, fault) => {
    const said = { object: 'error', type: 'BadRequestError', code: 'odd', message: '', param };
    const error = errorOfAnswer({ status, headers: {}, said });
    expect(error).toMatchObject({ fault, upstreamParam: param, possiblyCharged: false });
  });

  it.each(['', 'None', null])('is none where it says %j', (param) => {
    const said = { error: { code: 'odd', type: 'upstream_error', param } };
    expect(errorOfAnswer({ status: 200, headers: {}, said }).fault).toBe('protocol');
  });
});
