import { describe, expect, it } from 'vitest';
import { plainJob } from '../../../test/support/upstreams/plain-job.ts';
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

const edit: ImageJob = { ...plainJob, operation: 'edit', referenceImages: [image] };

describe('a job', () => {
  it.each<[string, ImageJob, Partial<Capabilities>]>([
    ['that generates', plainJob, { edit: false, mask: false, referenceImagesMax: 0 }],
    ['that edits', edit, { generation: false, mask: false, referenceImagesMax: 1 }],
    ['with a mask', { ...edit, mask: image }, {}],
    ['with as many references as allowed', { ...edit, referenceImages: [image, image] }, {}],
    [
      'with as few references as allowed',
      { ...edit, referenceImages: [image, image] },
      { referenceImagesMin: 2 },
    ],
    [
      'with as many references and a mask as allowed',
      { ...edit, mask: image },
      { maskedReferenceImagesMax: 1 },
    ],
    [
      'with a transparent background',
      { ...plainJob, background: 'transparent' },
      { transparentBackground: true },
    ],
  ])('%s goes to a model that can do it', (_name, job, capabilities) => {
    expect(() => refuseUnsupported(job, { ...able, ...capabilities })).not.toThrow();
  });

  it.each<[string, ImageJob, Partial<Capabilities>, string]>([
    ['that generates', plainJob, { generation: false }, 'takes no generations'],
    ['that edits', edit, { edit: false }, 'takes no edits'],
    ['with a mask', { ...edit, mask: image }, { mask: false }, 'takes no mask'],
    [
      'with too many references',
      { ...edit, referenceImages: [image, image, image] },
      {},
      'takes at most 2 reference images',
    ],
    [
      'with too many references for a mask',
      { ...edit, referenceImages: [image, image], mask: image },
      { maskedReferenceImagesMax: 1 },
      'takes at most 1 reference images together with a mask',
    ],
    [
      'with too few references',
      edit,
      { referenceImagesMin: 2 },
      'needs at least 2 reference images',
    ],
    [
      'that edits nothing',
      { ...edit, referenceImages: [] },
      {},
      'needs at least 1 reference images',
    ],
    [
      'with a transparent background',
      { ...plainJob, background: 'transparent' },
      {},
      'makes no transparent background',
    ],
  ])('%s does not go to a model that cannot', (_name, job, capabilities, lacking) => {
    expect(() => refuseUnsupported(job, { ...able, ...capabilities })).toThrow(
      expect.objectContaining({ fault: 'unsupported', message: `this model ${lacking}` }),
    );
  });
});
