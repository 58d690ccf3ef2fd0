import { expect, it } from 'vitest';
import { capabilitiesOf } from './capabilities.ts';
import { plain, type SizeStyle } from './dialect.ts';

const pixels = { as: 'pixels', field: 'size', auto: null } as const;

it.each<[string, SizeStyle, string]>([
  ['as it is', pixels, 'exact'],
  ['in steps that all of them are in', { ...pixels, step: 512 }, 'exact'],
  ['in other steps', { ...pixels, step: 48 }, 'aspect'],
  ['from so many pixels', { ...pixels, pixelsMin: 1024 * 1024 }, 'exact'],
  ['from more', { ...pixels, pixelsMin: 1024 * 1024 + 1 }, 'aspect'],
  ['up to so many pixels', { ...pixels, pixelsMax: 1536 * 1024 }, 'exact'],
  ['up to fewer', { ...pixels, pixelsMax: 1536 * 1024 - 1 }, 'aspect'],
  ['up to sides so long', { ...pixels, sideMax: 1536 }, 'exact'],
  ['up to shorter sides', { ...pixels, sideMax: 1535 }, 'aspect'],
  ['from a list', { ...pixels, offers: ['1024x1024', '1536x1024', '1024x1536'] }, 'exact'],
  ['from a list without one', { ...pixels, offers: ['1024x1024', '1536x1024'] }, 'aspect'],
  ['in proportions', { ...pixels, as: 'aspect_ratio', offers: ['1:1'], tier: null }, 'aspect'],
  ['not at all', { as: 'nothing' }, 'own'],
])('what makes a size %s makes those that callers ask for', (_what, size, sizes) => {
  expect(capabilitiesOf({ ...plain, size }).sizes).toBe(sizes);
});
