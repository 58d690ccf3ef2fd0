import { type Dialect, plain } from '../dialect.ts';

/**
 * https://docs.z.ai/api-reference/image/generate-image: generations only, answered by an address.
 * `content_filter` of an answer grades it and withholds nothing.
 */
export const zai: Dialect = {
  ...plain,
  name: 'zai',
  title: 'Z.ai',
  size: { as: 'pixels', field: 'size', auto: null, step: 32, sideMax: 2048 },
  modelList: { from: 'known', models: ['glm-image', 'cogview-4-250304'], check: null },
  models: [
    {
      name: /cogview/,
      traits: {
        size: {
          as: 'pixels',
          field: 'size',
          auto: null,
          step: 16,
          pixelsMax: 2 ** 21,
          sideMax: 2048,
        },
        quality: { field: 'quality', words: { low: 'standard', medium: 'standard', high: 'hd' } },
      },
    },
  ],
  // https://docs.z.ai/api-reference/api-code
  errors: {
    codes: {
      '1000': 'auth',
      '1001': 'auth',
      '1002': 'auth',
      '1003': 'auth',
      '1004': 'auth',
      '1110': 'auth',
      '1111': 'auth',
      '1112': 'auth',
      '1113': 'quota',
      // Locked for what was done with it, with the status of too many requests.
      '1121': 'auth',
      '1211': 'unsupported',
      '1212': 'unsupported',
      '1220': 'auth',
      '1221': 'unsupported',
      '1222': 'unsupported',
      '1301': 'refused',
      '1302': 'busy',
      '1303': 'busy',
      '1304': 'quota',
      '1305': 'busy',
      '1309': 'quota',
      // The plan is good for other models.
      '1311': 'unsupported',
    },
  },
  presets: [
    {
      title: 'Z.ai',
      baseUrl: 'https://api.z.ai/api/paas/v4',
      upstreamModels: ['glm-image', 'cogview-4-250304'],
    },
    {
      title: 'Zhipu BigModel',
      baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
      upstreamModels: ['glm-image', 'cogview-4-250304'],
    },
  ],
};
