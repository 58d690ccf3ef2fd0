import { type Dialect, plain } from '../dialect.ts';

/**
 * https://docs.x.ai/developers/rest-api-reference/inference/images. `size` and `style` are not
 * supported there ("Argument not supported: size"), `quality` rules the price of 2.0 alone, edits are
 * JSON.
 */
export const xai: Dialect = {
  ...plain,
  name: 'xai',
  title: 'xAI',
  edit: {
    path: '/images/edits',
    // `image: {url, type}`, or `images: [{url, type}]` for up to three of them.
    body: {
      as: 'json',
      shape: 'url',
      one: { field: 'image', in: 'value' },
      several: { field: 'images', in: 'array' },
    },
    referenceImagesMax: 3,
    reads: ['png', 'jpeg', 'webp'],
    mask: null,
  },
  size: {
    as: 'aspect_ratio',
    field: 'aspect_ratio',
    auto: 'auto',
    offers: [
      '1:1',
      '3:4',
      '4:3',
      '9:16',
      '16:9',
      '2:3',
      '3:2',
      '9:19.5',
      '19.5:9',
      '9:20',
      '20:9',
      '1:2',
      '2:1',
    ],
    tier: {
      field: 'resolution',
      pixels: [
        ['1k', 1024 * 1024],
        ['2k', 2048 * 2048],
      ],
    },
  },
  format: { field: null, words: { jpeg: 'jpeg' } },
  // Addresses otherwise.
  responseFormat: 'b64_json',
  modelList: { from: 'list', path: '/image-generation-models', names: null },
  // A team without money gets a 403, or a 429, a wrong key a 400, and a prompt or picture that is declined a 403 or a
  // 400, each with the code of many others.
  errors: {
    codes: { 'personal-team-blocked:spending-limit': 'quota' },
    sentences: [
      [/^your (?:newly created )?teams? .*\b(?:credits|spending limit)\b/i, 'quota'],
      [/^incorrect API key provided\b/i, 'auth'],
      [/^content violates usage guidelines\b/i, 'refused'],
      [/^generated image rejected by content moderation\b/i, 'refused'],
    ],
  },
  // A picture that moderation held back comes with status 200.
  refusedWhen: [
    { member: 'respect_moderation', is: 'false' },
    { member: 'block_reason', is: 'present' },
  ],
  models: [
    {
      name: /grok-imagine-image-2/,
      traits: { quality: { field: 'quality', words: { low: 'low', medium: 'medium' } } },
    },
  ],
  presets: [
    {
      title: 'xAI',
      baseUrl: 'https://api.x.ai/v1',
      upstreamModels: [
        'grok-imagine-image',
        'grok-imagine-image-quality',
        'grok-imagine-image-2.0',
      ],
    },
  ],
};
