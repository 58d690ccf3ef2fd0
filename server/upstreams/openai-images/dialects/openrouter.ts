import { type Dialect, plain } from '../dialect.ts';

/**
 * https://openrouter.ai/docs/api/api-reference/images/generate-an-image: one path for everything,
 * references in `input_references`. Providers clamp `aspect_ratio` to what they have, while a
 * `resolution` that they lack is refused, so that is left to their default.
 */
export const openrouter: Dialect = {
  ...plain,
  name: 'openrouter',
  title: 'OpenRouter',
  generationPath: '/images',
  edit: {
    path: '/images',
    body: {
      as: 'json',
      shape: 'part',
      one: { field: 'input_references', in: 'array' },
      several: { field: 'input_references', in: 'array' },
    },
    referenceImagesMax: 16,
    reads: ['png', 'jpeg', 'webp'],
    mask: null,
  },
  size: {
    as: 'aspect_ratio',
    field: 'aspect_ratio',
    auto: null,
    offers: ['1:1', '1:2', '2:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
    tier: null,
  },
  // Models of FLUX refuse WebP.
  format: { field: 'output_format', words: { png: 'png', jpeg: 'jpeg' } },
  compression: 'output_compression',
  modelList: { from: 'list', path: '/images/models', names: null },
  // https://openrouter.ai/docs/api-reference/errors: a flagged prompt is a 403, as are spent budgets.
  errors: {
    refusedBy: ['metadata.reasons', 'metadata.patterns'],
    codes: {
      refusal: 'refused',
      // What is being made takes up the money; https://openrouter.ai/docs/api-reference/limits
      openrouter_in_flight_budget: 'busy',
      openrouter_credits: 'quota',
      openrouter_key_limit: 'quota',
      openrouter_guardrail_budget: 'quota',
      openrouter_workspace_budget: 'quota',
    },
    sentences: [[/^key limit exceeded\b/i, 'quota']],
  },
  models: [
    // `background` and streams are passed on to OpenAI's models only.
    {
      name: /^openai\/gpt-image/,
      traits: {
        quality: { field: 'quality', words: { low: 'low', medium: 'medium', high: 'high' } },
        background: {
          field: 'background',
          words: { transparent: 'transparent', opaque: 'opaque' },
        },
        format: { field: 'output_format', words: { png: 'png', jpeg: 'jpeg', webp: 'webp' } },
        stream: 'openai',
      },
    },
    {
      name: /^openai\/gpt-image-2(?!\.\d)/,
      traits: { background: { field: 'background', words: { opaque: 'opaque' } } },
    },
  ],
  presets: [
    {
      title: 'OpenRouter',
      baseUrl: 'https://openrouter.ai/api/v1',
      upstreamModels: ['bytedance-seed/seedream-4.5', 'openai/gpt-image-2'],
    },
  ],
};
