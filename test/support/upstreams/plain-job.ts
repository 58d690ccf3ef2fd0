import type { ImageJob } from '../../../server/upstreams/upstream.ts';

/** What one call is to make: a picture of which nothing is said that need not be. */
export const plainJob: ImageJob = {
  operation: 'generation',
  upstreamModel: 'pencil',
  prompt: 'a fox',
  size: 'auto',
  quality: 'auto',
  background: 'auto',
  format: 'png',
  compression: null,
  partialImages: 0,
  inputFidelity: null,
  moderation: null,
  referenceImages: [],
  mask: null,
  pictureIndex: 0,
  traceId: 'tr_1',
  attempt: 1,
  extra: {},
};
