import { type Dialect, type EditStyle, plain } from '../dialect.ts';

/**
 * https://docs.siliconflow.com/en/api-reference/images/images-generations: edits are generations
 * with `image`, `image2`, `image3`; answers are `images` with addresses that live for an hour.
 */
export const siliconflow: Dialect = {
  ...plain,
  name: 'siliconflow',
  title: 'SiliconFlow',
  size: { as: 'pixels', field: 'image_size', auto: '1024x1024' },
  modelList: { from: 'list', path: '/models?type=image', names: null },
  models: [
    {
      name: /Kolors/,
      traits: {
        edit: siliconflowEdit(1),
        size: {
          as: 'pixels',
          field: 'image_size',
          auto: '1024x1024',
          offers: ['1024x1024', '960x1280', '768x1024', '720x1440', '720x1280'],
        },
      },
    },
    {
      name: /Qwen-Image/,
      traits: {
        size: {
          as: 'pixels',
          field: 'image_size',
          auto: '1328x1328',
          offers: [
            '1328x1328',
            '1664x928',
            '928x1664',
            '1472x1140',
            '1140x1472',
            '1584x1056',
            '1056x1584',
          ],
        },
      },
    },
    // Takes no `image_size`: the result is as large as the first image.
    { name: /Qwen-Image-Edit/, traits: { edit: siliconflowEdit(1), size: { as: 'nothing' } } },
    { name: /Qwen-Image-Edit-\d/, traits: { edit: siliconflowEdit(3) } },
  ],
  // Those from 30001 with a 403: no money, a model that was switched off, and one that gifts do not pay for.
  errors: {
    codes: { '20012': 'unsupported', '30001': 'quota', '30003': 'unsupported', '30011': 'quota' },
  },
  presets: [
    {
      title: 'SiliconFlow',
      baseUrl: 'https://api.siliconflow.com/v1',
      upstreamModels: ['Qwen/Qwen-Image', 'Qwen/Qwen-Image-Edit'],
    },
    {
      title: 'SiliconFlow, China',
      baseUrl: 'https://api.siliconflow.cn/v1',
      upstreamModels: ['Qwen/Qwen-Image', 'Qwen/Qwen-Image-Edit-2509', 'Kwai-Kolors/Kolors'],
    },
  ],
};

function siliconflowEdit(referenceImagesMax: number): EditStyle {
  return {
    path: '/images/generations',
    body: {
      as: 'json',
      shape: 'data_url',
      one: { field: 'image', in: 'value' },
      several: { field: 'image', in: 'numbered' },
    },
    referenceImagesMax,
    reads: ['png', 'jpeg', 'webp'],
    mask: null,
  };
}
