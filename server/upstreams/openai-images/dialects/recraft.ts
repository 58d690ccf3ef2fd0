import { type Dialect, plain } from '../dialect.ts';

/**
 * https://www.recraft.ai/docs/api-reference/endpoints: generations only; its edits have paths and
 * fields of their own. `size` takes proportions too, which every model has its own pixels for.
 */
export const recraft: Dialect = {
  ...plain,
  name: 'recraft',
  title: 'Recraft',
  size: {
    as: 'aspect_ratio',
    field: 'size',
    auto: null,
    offers: ['1:1', '2:1', '1:2', '3:2', '2:3', '4:3', '3:4', '5:4', '4:5', '16:9', '9:16'],
    tier: null,
  },
  format: { field: 'image_format', words: { png: 'png', webp: 'webp' } },
  // Addresses otherwise.
  responseFormat: 'b64_json',
  modelList: {
    from: 'known',
    models: ['recraftv4_1', 'recraftv4_1_pro', 'recraftv4', 'recraftv4_pro', 'recraftv3'],
    check: '/users/me',
  },
  errors: { codes: { not_enough_credits: 'quota' } },
  presets: [
    {
      title: 'Recraft',
      baseUrl: 'https://external.api.recraft.ai/v1',
      upstreamModels: ['recraftv4_1', 'recraftv4', 'recraftv3'],
    },
  ],
};
