import type { Dialect, EditStyle, ModelRule } from '../dialect.ts';
import { plain } from '../dialect.ts';

/**
 * https://developers.openai.com/api/reference/resources/images: `generate` and `edit`. The sibling
 * of most other records: what they leave out is what their service does not take.
 */
export const openai: Dialect = {
  ...plain,
  name: 'openai',
  title: 'OpenAI',
  // https://developers.openai.com/api/docs/guides/production-best-practices: X-Client-Request-Id
  traceHeader: 'x-client-request-id',
  modelList: { from: 'list', path: '/models', names: /gpt-image|chatgpt-image|dall-e/ },
  edit: openaiEdit(),
  // The multipart schema gives 1024x1024 as the default, so `auto` has to be said.
  size: { as: 'pixels', field: 'size', auto: 'auto' },
  quality: {
    field: 'quality',
    words: { low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh', max: 'max' },
  },
  background: {
    field: 'background',
    words: { transparent: 'transparent', opaque: 'opaque' },
  },
  format: { field: 'output_format', words: { png: 'png', jpeg: 'jpeg', webp: 'webp' } },
  compression: 'output_compression',
  inputFidelity: { field: 'input_fidelity', words: { low: 'low', high: 'high' } },
  moderation: 'moderation',
  // GPT image models answer 400 `unknown_parameter` to a `response_format`.
  responseFormat: null,
  stream: 'openai',
  models: openaiModels(),
  presets: [
    {
      title: 'OpenAI',
      baseUrl: 'https://api.openai.com/v1',
      upstreamModels: ['gpt-image-2.5-sunburst', 'gpt-image-2.5-flare', 'gpt-image-2'],
    },
  ],
};

/** `mask` is a PNG whose transparent pixels are to be changed; it applies to the first image. */
export function openaiEdit(): EditStyle {
  return {
    path: '/images/edits',
    body: { as: 'multipart', image: 'image[]' },
    referenceImagesMax: 16,
    reads: ['png', 'jpeg', 'webp'],
    mask: { field: 'mask', convention: 'alpha' },
  };
}

/** Known wherever OpenAI's models are served under their names. */
function openaiModels(): readonly ModelRule[] {
  const threeQualities = {
    field: 'quality',
    words: { low: 'low', medium: 'medium', high: 'high' },
  };
  return [
    // xhigh and max are of 2.5 and later; input_fidelity and transparent are refused with a 400.
    {
      name: /gpt-image-2(?!\.\d)/,
      traits: {
        quality: threeQualities,
        inputFidelity: null,
        background: { field: 'background', words: { opaque: 'opaque' } },
      },
    },
    {
      name: /gpt-image-1|chatgpt-image/,
      traits: {
        quality: threeQualities,
        size: {
          as: 'pixels',
          field: 'size',
          auto: 'auto',
          offers: ['1024x1024', '1536x1024', '1024x1536'],
        },
      },
    },
    // "`gpt-image-1-mini` supports only `low`."
    {
      name: /gpt-image-1-mini/,
      traits: { inputFidelity: { field: 'input_fidelity', words: { low: 'low' } } },
    },
    // Retired at OpenAI in May 2026, alive at Azure and behind gateways.
    {
      name: /dall-e-[23]/,
      traits: {
        background: null,
        format: { field: null, words: { png: 'png' } },
        compression: null,
        inputFidelity: null,
        moderation: null,
        responseFormat: 'b64_json',
        stream: 'none',
      },
    },
    {
      name: /dall-e-3/,
      traits: {
        edit: null,
        quality: { field: 'quality', words: { low: 'standard', medium: 'standard', high: 'hd' } },
        size: {
          as: 'pixels',
          field: 'size',
          auto: null,
          offers: ['1024x1024', '1792x1024', '1024x1792'],
        },
      },
    },
    {
      name: /dall-e-2/,
      traits: {
        edit: {
          ...openaiEdit(),
          body: { as: 'multipart', image: 'image' },
          referenceImagesMax: 1,
          reads: ['png'],
        },
        quality: null,
        size: {
          as: 'pixels',
          field: 'size',
          auto: null,
          offers: ['1024x1024', '512x512', '256x256'],
        },
      },
    },
  ];
}
