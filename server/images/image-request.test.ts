import { describe, expect, test } from 'vitest';
import { editFieldsSchema, generationRequestSchema } from '../../shared/api/images.ts';
import { imageQualities } from '../../shared/image-options.ts';
import {
  fingerprintOf,
  type GivenImage,
  type ImageRequest,
  qualityAllowed,
  type ReferenceImage,
  toEdit,
  toGeneration,
} from './image-request.ts';

const needed = { model: 'm', prompt: 'p' };
const params = { images: 'image', mask: 'mask' };

const generation = (fields: object = {}) =>
  toGeneration(generationRequestSchema.parse({ ...needed, ...fields }));

const edit = (pictures: Partial<Parameters<typeof toEdit>[1]> = {}, fields: object = {}) =>
  toEdit(editFieldsSchema.parse({ ...needed, ...fields }), {
    referenceImages: [picture()],
    mask: null,
    pictureParams: params,
    ...pictures,
  });

function picture(change: Partial<ReferenceImage> = {}): ReferenceImage {
  const bytes = Buffer.from('bytes');
  return { format: 'png', width: 8, height: 6, hasAlpha: true, bytes, ...change };
}

describe('fields that depend on each other', () => {
  test.each([
    [{ stream: true, n: 1 }, null],
    [{ stream: false, n: 10 }, null],
    [{ stream: true, n: 2 }, 'n'],
    [{ background: 'transparent', output_format: 'png' }, null],
    [{ background: 'transparent', output_format: 'webp' }, null],
    [{ background: 'transparent' }, null],
    [{ background: 'opaque', output_format: 'jpeg' }, null],
    [{ background: 'auto', output_format: 'jpeg' }, null],
    [{ background: 'transparent', output_format: 'jpeg' }, 'background'],
  ])('%j: %s is at fault', (fields, param) => {
    for (const make of [() => generation(fields), () => edit({}, fields)]) {
      if (param === null) expect(make).not.toThrow();
      else expect(make).toThrow(refusal(param));
    }
  });

  test.each([
    [{ output_format: 'png', output_compression: 50 }, null],
    [{ output_compression: 0 }, null],
    [{ output_format: 'jpeg', output_compression: 50 }, 50],
    [{ output_format: 'webp', output_compression: 0 }, 0],
    [{ output_format: 'webp' }, null],
  ])('%j: the compression to ask for is %s', (fields, compression) => {
    expect(generation(fields).outputCompression).toBe(compression);
  });

  test.each([
    [{ partial_images: 2 }, 0],
    [{ partial_images: 2, stream: false }, 0],
    [{ partial_images: 2, stream: true }, 2],
    [{ stream: true }, 0],
  ])('%j: partial images to show are %i', (fields, partialImages) => {
    expect(generation(fields).partialImages).toBe(partialImages);
  });

  test('reads quality standard as auto', () => {
    expect(generation({ quality: 'standard' }).quality).toBe('auto');
  });
});

describe('the pictures of an edit', () => {
  test.each([
    [0, 'image'],
    [1, null],
    [16, null],
    [17, 'image'],
  ])('%i reference images: %s is at fault', (count, param) => {
    const make = () => edit({ referenceImages: Array.from({ length: count }, () => picture()) });
    if (param === null) expect(make).not.toThrow();
    else expect(make).toThrow(refusal(param));
  });

  test.each([
    ['a PNG with alpha of the same size', {}, true],
    ['another width', { width: 9 }, false],
    ['another height', { height: 5 }, false],
    ['the size on its side', { width: 6, height: 8 }, false],
    ['no alpha channel', { hasAlpha: false }, false],
    ['a WebP', { format: 'webp' }, false],
    ['a JPEG', { format: 'jpeg', hasAlpha: false }, false],
  ] as const)('a mask that is %s', (_name, change, accepted) => {
    const named = { ...params, mask: 'mask.image_url' };
    const make = () => edit({ mask: picture(change), pictureParams: named });
    if (accepted) expect(make).not.toThrow();
    else expect(make).toThrow(refusal('mask.image_url'));
  });

  test('a mask applies to the first of several', () => {
    const [small, large] = [picture(), picture({ width: 100 })];
    expect(() => edit({ referenceImages: [small, large], mask: picture() })).not.toThrow();
    expect(() => edit({ referenceImages: [large, small], mask: picture() })).toThrow(
      refusal('mask'),
    );
  });
});

test.each(imageQualities)('quality %s needs an extended model only beyond high', (quality) => {
  expect(qualityAllowed(quality, true)).toBe(true);
  expect(qualityAllowed(quality, false)).toBe(!['xhigh', 'max'].includes(quality));
});

describe('the fingerprint', () => {
  const base = edit({ mask: picture(), referenceImages: [picture(), picture({ width: 9 })] });

  test('is SHA-256 in hex and the same for the same request', () => {
    expect(fingerprintOf(base)).toMatch(/^[0-9a-f]{64}$/);
    const copy: ImageRequest = structuredClone({ ...base, referenceImages: [], mask: null });
    const reversed = Object.fromEntries(Object.entries(base).reverse());
    expect(fingerprintOf({ ...copy, ...reversed })).toBe(fingerprintOf(base));
  });

  const other = picture({ bytes: Buffer.from('other') });
  test.each<[string, Partial<ImageRequest>]>([
    ['operation', { operation: 'generation' }],
    ['model', { model: 'm2' }],
    ['prompt', { prompt: 'p ' }],
    ['n', { n: 2 }],
    ['size', { size: '1024x1024' }],
    ['quality', { quality: 'low' }],
    ['background', { background: 'opaque' }],
    ['outputFormat', { outputFormat: 'webp' }],
    ['outputCompression', { outputCompression: 0 }],
    ['moderation', { moderation: 'low' }],
    ['inputFidelity', { inputFidelity: 'low' }],
    ['partialImages', { partialImages: 1 }],
    ['stream', { stream: true }],
    ['responseFormat', { responseFormat: 'url' }],
    ['mask', { mask: other }],
    ['mask', { mask: null }],
    ['referenceImages', { referenceImages: [] }],
    ['referenceImages', { referenceImages: [other, other] }],
    ['referenceImages', { referenceImages: [picture()] }],
    ['referenceImages', { referenceImages: [picture(), other] }],
  ])('changes with %s', (field, change) => {
    expect(base).toHaveProperty(field);
    expect(fingerprintOf({ ...base, ...change })).not.toBe(fingerprintOf(base));
  });

  test('is the same whatever the body calls its pictures', () => {
    const pictureParams = { images: 'images', mask: 'mask.image_url' };
    expect(fingerprintOf({ ...base, pictureParams })).toBe(fingerprintOf(base));
  });

  test('of a picture behind a link is that of the link, whatever it led to', () => {
    const link = 'https://a.example/1';
    const behind = (image: GivenImage) => edit({ referenceImages: [image] });
    const linked = fingerprintOf(behind({ link, param: 'images[0].image_url' }));
    expect(fingerprintOf(behind({ ...picture(), link }))).toBe(linked);
    expect(fingerprintOf(behind({ ...other, link }))).toBe(linked);
    expect(fingerprintOf(behind({ ...other, link: `${link}?` }))).not.toBe(linked);
    expect(fingerprintOf(behind(other))).not.toBe(linked);
  });

  test('tells a mask from a reference image, and their order', () => {
    const [one, two] = [picture(), other];
    const prints = [
      { referenceImages: [one, two], mask: null },
      { referenceImages: [two, one], mask: null },
      { referenceImages: [one], mask: two },
      { referenceImages: [two], mask: one },
    ].map((pictures) => fingerprintOf({ ...base, ...pictures }));
    expect(new Set(prints).size).toBe(4);
  });
});

function refusal(param: string): unknown {
  return expect.objectContaining({ name: 'ServiceError', code: 'invalid_request_error', param });
}
