import { describe, expect, it } from 'vitest';
import type { Capabilities, ImageJob, InputImage } from '../upstream.ts';
import { refuseUnsupported } from './capable.ts';

const image: InputImage = {
  bytes: Buffer.from('picture'),
  format: 'png',
  width: 8,
  height: 8,
  hasAlpha: true,
};

const able: Capabilities = {
  generation: true,
  edit: true,
  referenceImagesMax: 2,
  mask: true,
  partialImages: false,
  sizes: 'exact',
  formats: ['png'],
  qualities: ['auto'],
  transparentBackground: false,
};

const generation: ImageJob = {
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
  traceId: 'req_1',
  attempt: 1,
  extra: {},
};

const edit: ImageJob = { ...generation, operation: 'edit', referenceImages: [image] };

describe('a job', () => {
  it.each<[string, ImageJob, Partial<Capabilities>]>([
    ['that generates', generation, { edit: false, mask: false, referenceImagesMax: 0 }],
    ['that edits', edit, { generation: false, mask: false, referenceImagesMax: 1 }],
    ['with a mask', { ...edit, mask: image }, {}],
    ['with as many references as allowed', { ...edit, referenceImages: [image, image] }, {}],
  ])('%s goes to a model that can do it', (_name, job, capabilities) => {
    expect(() => refuseUnsupported(job, { ...able, ...capabilities })).not.toThrow();
  });

  it.each<[string, ImageJob, Partial<Capabilities>, string]>([
    ['that generates', generation, { generation: false }, 'no generations'],
    ['that edits', edit, { edit: false }, 'no edits'],
    ['with a mask', { ...edit, mask: image }, { mask: false }, 'no mask'],
    [
      'with too many references',
      { ...edit, referenceImages: [image, image, image] },
      {},
      'at most 2 reference images',
    ],
  ])('%s does not go to a model that cannot', (_name, job, capabilities, lacking) => {
    expect(() => refuseUnsupported(job, { ...able, ...capabilities })).toThrow(
      expect.objectContaining({ fault: 'unsupported', message: `this model takes ${lacking}` }),
    );
  });
});
