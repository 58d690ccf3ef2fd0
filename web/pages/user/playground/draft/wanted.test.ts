import { describe, expect, it, test } from 'vitest';
import {
  type Capabilities,
  defaultWanted,
  fit,
  readWanted,
  withBackground,
  withFormat,
} from './wanted.ts';

const everything: Capabilities = {
  operations: ['generation', 'edit'],
  sizes: ['auto', '1024x1024', '1536x1024', '1024x1536'],
  qualities: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'],
  output_formats: ['png', 'jpeg', 'webp'],
  reference_images_max: 16,
  mask: true,
  partial_images: true,
  transparent_background: true,
};
const classic: Capabilities = { ...everything, qualities: ['auto', 'low', 'medium', 'high'] };

describe('what a model does not offer', () => {
  test.each([
    ['quality', { quality: 'xhigh' }, classic, { quality: 'high' }],
    ['quality far above', { quality: 'max' }, classic, { quality: 'high' }],
    [
      'quality below',
      { quality: 'low' },
      { ...classic, qualities: ['medium', 'high'] },
      { quality: 'medium' },
    ],
    ['size', { size: '1536x1024' }, { ...classic, sizes: ['auto'] }, { size: 'auto' }],
    ['format', { format: 'webp' }, { ...classic, output_formats: ['png'] }, { format: 'png' }],
    [
      'background',
      { background: 'transparent' },
      { ...classic, transparent_background: false },
      { background: 'auto' },
    ],
  ] as const)('%s is replaced by the nearest, and said', (_, wish, capabilities, used) => {
    const wanted = { ...defaultWanted, ...wish };
    const { values, replaced } = fit(wanted, capabilities as Capabilities);
    expect(values).toMatchObject(used);
    expect(replaced).toHaveLength(1);
    expect(replaced[0]).toMatchObject({
      wanted: Object.values(wish)[0],
      used: Object.values(used)[0],
    });
  });

  it('is kept, and comes back with a model that does', () => {
    const wanted = { ...defaultWanted, quality: 'xhigh' } as const;
    expect(fit(wanted, classic).values.quality).toBe('high');
    expect(fit(wanted, everything)).toEqual({ values: wanted, replaced: [] });
  });

  it('shows no previews where there are none', () => {
    expect(fit(defaultWanted, { ...everything, partial_images: false }).values.previews).toBe(0);
  });
});

describe('transparency and JPEG exclude each other: the newer wish wins', () => {
  it('background after format', () => {
    const jpeg = { ...defaultWanted, format: 'jpeg' } as const;
    expect(withBackground(jpeg, 'transparent')).toMatchObject({
      format: 'png',
      background: 'transparent',
    });
    expect(withBackground(jpeg, 'opaque')).toMatchObject({ format: 'jpeg' });
  });
  it('format after background', () => {
    const clear = { ...defaultWanted, background: 'transparent' } as const;
    expect(withFormat(clear, 'jpeg')).toMatchObject({ format: 'jpeg', background: 'auto' });
    expect(withFormat(clear, 'webp')).toMatchObject({ format: 'webp', background: 'transparent' });
  });
});

it('takes of pasted settings what makes sense', () => {
  expect(
    readWanted(
      { size: '1536x1024', quality: 'gigantic', output_compression: 101, partial_images: 3 },
      defaultWanted,
    ),
  ).toEqual({ ...defaultWanted, size: '1536x1024', previews: 3 });
  expect(readWanted({ output_compression: 100 }, defaultWanted).compression).toBe(100);
});

it('takes what a request left out for what the API makes of it', () => {
  const before = {
    ...defaultWanted,
    size: '1536x1024',
    quality: 'max',
    format: 'jpeg',
    background: 'opaque',
    fidelity: 'high',
    previews: 3,
    variations: 4,
  } as const;
  expect(readWanted({ model: 'gen-image-2', prompt: 'a fox' }, before)).toEqual({
    ...defaultWanted,
    previews: 3,
    variations: 4,
  });
});
