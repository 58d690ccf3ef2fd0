import { describe, expect, test } from 'vitest';
import type { SizeStyle } from './dialect.ts';
import { type SizeFields, sizeFields } from './size-fields.ts';

const square = { width: 1024, height: 1024 };
const landscape = { width: 1536, height: 1024 };

const pixels = { as: 'pixels', field: 'size', auto: 'auto' } as const;
const sides = { as: 'width_height', width: 'width', height: 'height' } as const;
const aspect = {
  as: 'aspect_ratio',
  field: 'aspect_ratio',
  auto: null,
  offers: ['1:1', '4:3', '16:9'],
  tier: {
    field: 'resolution',
    pixels: [
      ['1k', 1024 * 1024],
      ['2k', 2048 * 2048],
    ],
  },
} as const;

test.each<[string, SizeStyle, typeof square, SizeFields]>([
  ['width x height', pixels, landscape, { fields: { size: '1536x1024' }, isApproximate: false }],
  ['two sides', sides, landscape, { fields: { width: 1536, height: 1024 }, isApproximate: false }],
  [
    'proportions and a tier',
    aspect,
    square,
    { fields: { aspect_ratio: '1:1', resolution: '1k' }, isApproximate: false },
  ],
  [
    'the nearest proportions',
    aspect,
    landscape,
    { fields: { aspect_ratio: '4:3', resolution: '1k' }, isApproximate: true },
  ],
  [
    'the nearest tier',
    aspect,
    { width: 2000, height: 2000 },
    { fields: { aspect_ratio: '1:1', resolution: '2k' }, isApproximate: false },
  ],
  [
    'the one offer with these proportions',
    { ...pixels, offers: ['1024x1024', '1792x1024', '1024x1792'] },
    landscape,
    { fields: { size: '1792x1024' }, isApproximate: true },
  ],
  [
    'of offers in proportion the nearest in area',
    { ...pixels, offers: ['256x256', '512x512', '2048x2048'] },
    { width: 640, height: 640 },
    { fields: { size: '512x512' }, isApproximate: true },
  ],
  [
    'an offer as it is',
    { ...pixels, offers: ['1024x1024'] },
    square,
    { fields: { size: '1024x1024' }, isApproximate: false },
  ],
  [
    'scaled up to the least number of pixels',
    { ...pixels, pixelsMin: 1920 * 1920, step: 16 },
    square,
    { fields: { size: '1920x1920' }, isApproximate: true },
  ],
  [
    'not scaled when it has the least number of pixels',
    { ...pixels, pixelsMin: 1024 * 1024, step: 16 },
    square,
    { fields: { size: '1024x1024' }, isApproximate: false },
  ],
  [
    'scaled up by one pixel too few',
    { ...pixels, pixelsMin: 1024 * 1024 + 1, step: 16 },
    square,
    { fields: { size: '1040x1040' }, isApproximate: true },
  ],
  [
    'sides in steps',
    { ...sides, step: 32 },
    { width: 1000, height: 640 },
    { fields: { width: 1024, height: 640 }, isApproximate: true },
  ],
  [
    'a height in steps',
    { ...sides, step: 32 },
    { width: 640, height: 1000 },
    { fields: { width: 640, height: 1024 }, isApproximate: true },
  ],
  [
    'scaled down to the most pixels',
    { ...pixels, pixelsMax: 1000 * 1000, step: 16 },
    square,
    { fields: { size: '992x992' }, isApproximate: true },
  ],
  [
    'scaled down to the longest side',
    { ...pixels, sideMax: 768, step: 32 },
    landscape,
    { fields: { size: '768x512' }, isApproximate: true },
  ],
  [
    'in the steps below where those above are too large',
    { ...pixels, pixelsMax: 1024 * 1024, step: 48 },
    square,
    { fields: { size: '1008x1008' }, isApproximate: true },
  ],
  ['not at all', { as: 'nothing' }, square, { fields: {}, isApproximate: true }],
])('says a size as %s', (_name, style, size, expected) => {
  expect(sizeFields(size, style)).toEqual(expected);
});

describe('no wish for a size', () => {
  test.each<[string, SizeStyle, Record<string, unknown>]>([
    ["the service's word", pixels, { size: 'auto' }],
    ['nothing where it has no word', { ...pixels, auto: null }, {}],
    ['nothing in place of sides', sides, {}],
    ['nothing in place of proportions', aspect, {}],
    ['nothing to a service that decides itself', { as: 'nothing' }, {}],
  ])('sends %s', (_name, style, fields) => {
    expect(sizeFields('auto', style)).toEqual({ fields, isApproximate: false });
  });
});
