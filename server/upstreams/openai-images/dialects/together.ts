import { type Dialect, type EditStyle, plain } from '../dialect.ts';

/**
 * https://docs.together.ai/reference/post-images-generations and
 * https://docs.together.ai/docs/inference/images/reference-images: edits are generations with
 * `image_url` (Kontext), or with `reference_images` (FLUX.2 and Google's models).
 */
export const together: Dialect = {
  ...plain,
  name: 'together',
  title: 'Together AI',
  edit: kontextEdit(),
  size: { as: 'width_height', width: 'width', height: 'height', step: 8 },
  format: { field: 'output_format', words: { png: 'png', jpeg: 'jpeg' } },
  responseFormat: 'base64',
  models: [
    {
      name: /kontext/i,
      traits: {
        // https://docs.together.ai/docs/inference/images/parameters: it takes no `width` and `height`. The proportions
        // are the ones that its maker has; without any it keeps those of the reference image.
        size: {
          as: 'aspect_ratio',
          field: 'aspect_ratio',
          auto: null,
          offers: ['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16', '21:9', '9:21'],
          tier: null,
        },
      },
    },
    {
      name: /schnell|FLUX\.1\.1|FLUX\.1-dev|FLUX\.1-krea|stable-diffusion/i,
      traits: { edit: null },
    },
    {
      name: /FLUX\.2|flash-image|gemini.*image/i,
      traits: {
        edit: {
          ...kontextEdit(),
          body: {
            as: 'json',
            shape: 'data_url',
            one: { field: 'reference_images', in: 'array' },
            several: { field: 'reference_images', in: 'array' },
          },
          referenceImagesMax: 8,
        },
      },
    },
  ],
  // Its list has models too that only run where somebody rents a machine for them.
  errors: {
    codes: { model_not_available: 'unsupported', dedicated_endpoint_not_running: 'unsupported' },
    // https://docs.together.ai/docs/images-overview: of the safety checker; a wrong field is a 400.
    statuses: { 422: 'refused' },
  },
  presets: [
    {
      title: 'Together AI',
      baseUrl: 'https://api.together.xyz/v1',
      upstreamModels: [
        'black-forest-labs/FLUX.2-pro',
        'black-forest-labs/FLUX.1-kontext-pro',
        'black-forest-labs/FLUX.1-schnell',
      ],
    },
  ],
};

function kontextEdit(): EditStyle {
  return {
    path: '/images/generations',
    body: {
      as: 'json',
      shape: 'data_url',
      one: { field: 'image_url', in: 'value' },
      several: null,
    },
    referenceImagesMax: 1,
    reads: ['png', 'jpeg', 'webp'],
    mask: null,
  };
}
