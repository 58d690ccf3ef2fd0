import { describe, expect, it } from 'vitest';
import type { Fault } from '../upstream.ts';
import { errorOfAnswer } from './faults.ts';

describe('an error of an answer', () => {
  it('says nothing that the service said but its code', () => {
    const said = { error: { code: 'content_filter', message: 'your fox is too red' } };
    const error = errorOfAnswer({ status: 400, headers: {}, said });
    expect(error.message).toBe('answered with status 400 (content_filter)');
    expect(error.cause).toBeUndefined();
  });

  it.each<[number, unknown, boolean]>([
    [400, null, false],
    [401, null, false],
    [429, null, false],
    [500, null, false],
    [502, null, false],
    [302, null, false],
    [408, null, false],
    // Gateways that gave up waiting for the work.
    [504, null, true],
    [524, null, true],
    [504, { error: { code: 'server_error' } }, true],
    [524, { error: { code: 'server_error' } }, true],
    [503, { error: { code: 'server_error' } }, false],
    [408, { error: { message: 'litellm.Timeout', type: null, param: null, code: '408' } }, true],
    [500, { error: { code: 'gateway_timeout' } }, true],
    [503, { error: { status: 'DEADLINE_EXCEEDED' } }, true],
    // Success was claimed, and nothing says what became of it.
    [200, {}, true],
    [200, { error: { code: 'server_error' } }, true],
    [200, { error: { code: 'content_filter' } }, false],
    [200, { error: { code: 429 } }, false],
  ])('of status %i with %j may have been charged: %s', (status, said, possiblyCharged) => {
    expect(errorOfAnswer({ status, headers: {}, said }).possiblyCharged).toBe(possiblyCharged);
  });

  it.each<[number, string, unknown, Fault]>([
    [403, 'text/html; charset=UTF-8', null, 'protocol'],
    [403, 'Text/HTML', null, 'protocol'],
    [403, 'text/html', { error: { message: 'no' } }, 'auth'],
    [403, 'text/plain', null, 'auth'],
    [403, 'application/json', null, 'auth'],
    [401, 'text/html', null, 'auth'],
    [402, 'text/html', null, 'quota'],
    [429, 'text/html', null, 'busy'],
    [503, 'text/html', null, 'unavailable'],
  ])('of status %i in %s that says %j is %s', (status, type, said, fault) => {
    expect(errorOfAnswer({ status, headers: { 'content-type': type }, said }).fault).toBe(fault);
  });

  it('carries the identifier of the request and how long to wait', () => {
    const headers = { 'x-request-id': 'req_1', 'retry-after': '3' };
    const error = errorOfAnswer({ status: 429, headers, said: null });
    expect(error.upstreamRequestId).toBe('req_1');
    expect(error.retryAfterMs).toBe(3_000);
  });

  it('carries how long to wait where the message alone says it', () => {
    const message = 'Rate limit reached for images. Please try again in 12s.';
    const said = { error: { code: 'rate_limit_exceeded', message } };
    expect(errorOfAnswer({ status: 429, headers: {}, said }).retryAfterMs).toBe(12_000);
    const headers = { 'retry-after': '3' };
    expect(errorOfAnswer({ status: 429, headers, said }).retryAfterMs).toBe(3_000);
    // In an event of a stream.
    expect(errorOfAnswer({ status: 200, headers: {}, said }).retryAfterMs).toBe(12_000);
    const failed = { error: { message } };
    expect(errorOfAnswer({ status: 500, headers: {}, said: failed }).retryAfterMs).toBeNull();
  });
});

describe('what OpenAI says', () => {
  it.each<[number, string, string, Fault]>([
    // https://help.openai.com/en/articles/6614457-troubleshooting-api-usage-and-spend-limits
    [429, 'rate_limit_error', 'credit_balance_exhausted', 'quota'],
    [429, 'rate_limit_error', 'organization_spend_limit_exceeded', 'quota'],
    [429, 'rate_limit_error', 'organization_usage_limit_exceeded', 'quota'],
    [429, 'rate_limit_error', 'project_spend_limit_exceeded', 'quota'],
    [429, 'insufficient_quota', 'another_limit', 'quota'],
    // https://developers.openai.com/api/docs/guides/error-codes
    [503, 'service_unavailable_error', 'server_is_overloaded', 'busy'],
    [503, 'service_unavailable_error', 'slow_down', 'busy'],
    // In the middle of a stream, whose status claims success.
    [200, 'image_generation_server_error', 'image_generation_failed', 'unavailable'],
    [200, 'image_generation_server_error', 'E17', 'unavailable'],
    [200, 'image_generation_user_error', 'E17', 'bad_request'],
    [200, 'image_generation_user_error', 'moderation_blocked', 'refused'],
  ])('with status %i, %s and %s is %s', (status, type, code, fault) => {
    const error = errorOfAnswer({ status, headers: {}, said: { error: { type, code } } });
    expect(error).toMatchObject({ fault, upstreamCode: code });
  });

  it.each(['invalid_request_error', 'upstream_error'])(
    'of a model that an organization must be verified for leaves the key alone, with type %s',
    (type) => {
      const message =
        'Your organization must be verified to use the model `gpt-image-2.5-flare`. Please go to: …';
      const said = { error: { message, type, param: null, code: null } };
      expect(errorOfAnswer({ status: 403, headers: {}, said }).fault).toBe('unsupported');
    },
  );

  it.each(['tools', null])('of a model that is not there is about the model, for %s', (param) => {
    const message = "The model 'gpt-image-9' does not exist.";
    const type = 'image_generation_user_error';
    const said = { error: { message, type, param, code: 'invalid_value' } };
    expect(errorOfAnswer({ status: 400, headers: {}, said }).fault).toBe('unsupported');
    const quoted = { error: { ...said.error, message: `Invalid prompt: ${message}` } };
    expect(errorOfAnswer({ status: 400, headers: {}, said: quoted }).fault).toBe('bad_request');
  });

  it('of the model in the middle of a stream is about the model', () => {
    const said = { error: { type: 'image_generation_user_error', param: 'model' } };
    expect(errorOfAnswer({ status: 200, headers: {}, said }).fault).toBe('unsupported');
  });
});

describe('a status that a service keeps for refusals', () => {
  const rules = { statuses: { 422: 'refused' } } as const;

  it.each<[string | null, Fault]>([
    [null, 'refused'],
    ['None', 'refused'],
    ['prompt', 'refused'],
    ['image_url', 'refused'],
    ['steps', 'bad_request'],
    ['width', 'bad_request'],
    ['model', 'unsupported'],
  ])('with the field %j is %s', (param, fault) => {
    const said = { error: { message: 'no', type: 'invalid_request_error', param } };
    expect(errorOfAnswer({ status: 422, headers: {}, said }, rules).fault).toBe(fault);
  });
});
