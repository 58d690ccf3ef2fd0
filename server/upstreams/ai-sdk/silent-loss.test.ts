import type { SharedV4Warning } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { refuseSilentLoss } from './silent-loss.ts';

/** As the packages say it. */
it.each<SharedV4Warning>([
  { type: 'unsupported', feature: 'mask', details: 'Fireworks Kontext models do not support it.' },
  { type: 'unsupported', feature: 'files' },
  {
    type: 'other',
    message: 'Multiple input images provided. Only the first image will be used. Set it to true.',
  },
  { type: 'other', message: 'Flux-2 models do not support mask input. The mask will be ignored.' },
  { type: 'other', message: 'Additional images are ignored.' },
])('a picture is not passed off when an input image was left out: %o', (warning) => {
  expect(() => refuseSilentLoss([warning])).toThrow('without an input image');
});

it.each<SharedV4Warning>([
  { type: 'unsupported', feature: 'size', details: 'Deriving aspect_ratio from size.' },
  { type: 'unsupported', feature: 'seed' },
  { type: 'deprecated', setting: 'imageUrl', message: 'Use images instead.' },
  { type: 'other', message: 'The following options use deprecated snake_case.' },
])('other warnings are no loss: %o', (warning) => {
  expect(() => refuseSilentLoss([warning])).not.toThrow();
});
