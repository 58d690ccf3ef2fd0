import type { ImageRequest } from '../../../server/images/image-request.ts';

/** One picture, with nothing said that need not be. */
export const plainGeneration: ImageRequest = {
  operation: 'generation',
  model: 'gen-image-2',
  prompt: 'a fox',
  n: 1,
  size: 'auto',
  quality: 'auto',
  background: 'auto',
  outputFormat: 'png',
  outputCompression: null,
  moderation: null,
  inputFidelity: null,
  partialImages: 0,
  stream: false,
  responseFormat: 'b64_json',
  referenceImages: [],
  mask: null,
  pictureParams: { images: 'image', mask: 'mask' },
};
