import type { Dialect } from '../dialect.ts';
import { plain } from '../dialect.ts';
import { openai, openaiEdit } from './openai.ts';

/**
 * https://docs.litellm.ai/docs/image_generation: passes on what OpenAI takes. May answer a stream
 * request with JSON, and with an address where the service behind it gives one.
 */
export const litellm: Dialect = {
  ...openai,
  name: 'litellm',
  title: 'LiteLLM',
  traceHeader: null,
  modelList: { from: 'list', path: '/models', names: null },
  errors: {
    codes: {
      ContentPolicyViolationError: 'refused',
      budget_exceeded: 'quota',
      token_not_found_in_db: 'auth',
      // The key is good for its other models.
      key_model_access_denied: 'unsupported',
      team_model_access_denied: 'unsupported',
    },
    // https://docs.litellm.ai/docs/troubleshoot: what begins with `litellm.` is of the service behind it, to which the
    // gateway has keys of its own.
    sentences: [
      [/^(?:litellm\.\w+: )*litellm\.ContentPolicyViolationError\b/, 'refused'],
      // OpenAI's code for it is lost on the way, as is the one of its hard limit.
      [
        /^(?:litellm\.\w+: )+\w+Exception(?: \w+)? - Your request was rejected by the safety system\b/,
        'refused',
      ],
      [
        /^(?:litellm\.\w+: )+\w+Exception(?: \w+)? - Billing hard limit has been reached\b/,
        'unavailable',
      ],
      [/^litellm\.(?:AuthenticationError|PermissionDeniedError)\b/, 'unavailable'],
      [/^(?:400: \{'error': '|\/[\w/]+: )Invalid model name passed in model=/, 'unsupported'],
    ],
  },
  presets: [
    {
      title: 'LiteLLM proxy',
      baseUrl: 'http://localhost:4000/v1',
      upstreamModels: ['gpt-image-2.5-sunburst', 'gpt-image-2'],
    },
  ],
};

/** https://docs.newapi.pro: new-api and the other descendants of one-api. */
export const newApi: Dialect = {
  ...openai,
  name: 'new-api',
  title: 'new-api',
  traceHeader: null,
  modelList: { from: 'list', path: '/models', names: null },
  errors: {
    codes: {
      insufficient_user_quota: 'quota',
      pre_consume_token_quota_failed: 'quota',
      sensitive_words_detected: 'refused',
      prompt_blocked: 'refused',
      'violation_fee.grok.csam': 'refused',
      // Its operator has set none, whatever was asked for.
      model_price_error: 'unsupported',
      access_denied: 'auth',
      'channel:no_available_key': 'unavailable',
      'channel:invalid_key': 'unavailable',
    },
    // What it says of its own has the type `new_api_error`, or its like in the other descendants.
    typesBehind: [
      'upstream_error',
      'invalid_request_error',
      'authentication_error',
      'permission_error',
      'insufficient_quota',
      'image_generation_user_error',
    ],
    // A 403 without a code; the key is good for its other models.
    sentences: [
      [/^(?:该令牌无权访问模型|(?:this )?token has no access to model\b)/i, 'unsupported'],
    ],
  },
  presets: [
    {
      title: 'new-api gateway',
      baseUrl: 'http://localhost:3000/v1',
      upstreamModels: ['gpt-image-2.5-sunburst', 'gpt-image-2'],
    },
  ],
};

/** A service of which nothing is known but its kind; the settings say what it takes besides. */
export const generic: Dialect = {
  ...plain,
  name: 'generic',
  title: 'Another service of this kind',
  modelList: { from: 'list', path: '/models', names: null, mayBeMissing: true },
  edit: openaiEdit(),
  presets: [
    {
      title: 'Another OpenAI-compatible service',
      baseUrl: 'http://localhost:8000/v1',
      upstreamModels: ['your-model'],
    },
  ],
};
