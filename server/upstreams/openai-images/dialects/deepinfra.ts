import { type Dialect, plain } from '../dialect.ts';

/**
 * https://deepinfra.com/docs/openai_api and https://deepinfra.com/Qwen/Qwen-Image-Edit/api: the
 * parts of an edit are called `image`, without brackets.
 */
export const deepinfra: Dialect = {
  ...plain,
  name: 'deepinfra',
  title: 'DeepInfra',
  edit: {
    path: '/images/edits',
    body: { as: 'multipart', image: 'image' },
    referenceImagesMax: 4,
    reads: ['png', 'jpeg', 'webp'],
    mask: { field: 'mask', convention: 'alpha' },
  },
  format: { field: null, words: { png: 'png', jpeg: 'jpeg' } },
  responseFormat: 'b64_json',
  presets: [
    {
      title: 'DeepInfra',
      baseUrl: 'https://api.deepinfra.com/v1/openai',
      upstreamModels: ['Qwen/Qwen-Image-Edit', 'black-forest-labs/FLUX-1-schnell'],
    },
  ],
};
