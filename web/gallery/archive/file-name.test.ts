import { expect, test } from 'vitest';
import { fileNameOf } from './file-name.ts';

const facts = {
  createdAt: '2025-11-14T09:30:00.000Z',
  model: 'gen-image-2.5-sunburst',
  prompt: 'A red fox: in snow, at dawn / with "breath"?',
  traceId: 'tr_0123456789abcdef',
  type: 'image/jpeg',
};

test.each([
  ['words and trace', {}, '2025-11-14_gen-image-2.5-sunburst_a-red-fox-in-snow_abcdef.jpg'],
  [
    'other scripts',
    { prompt: '雪中的狐狸' },
    '2025-11-14_gen-image-2.5-sunburst_雪中的狐狸_abcdef.jpg',
  ],
  [
    'scripts whose vowels are marks',
    { prompt: 'बर्फ़ में लोमड़ी' },
    '2025-11-14_gen-image-2.5-sunburst_बर्फ़-में-लोमड़ी_abcdef.jpg',
  ],
  ['no words', { prompt: '?!' }, '2025-11-14_gen-image-2.5-sunburst_abcdef.jpg'],
  ['a model with a slash', { model: 'a/b:c', prompt: 'x' }, '2025-11-14_a-b-c_x_abcdef.jpg'],
  ['a PNG', { prompt: 'x', type: 'image/png' }, '2025-11-14_gen-image-2.5-sunburst_x_abcdef.png'],
])('%s', (_, changes, name) => {
  expect(fileNameOf({ ...facts, ...changes })).toBe(name);
  expect(name).not.toMatch(/[<>:"/\\|?*\s]/);
});

test('a long word is cut', () => {
  const name = fileNameOf({ ...facts, prompt: 'a'.repeat(500) });
  expect(name.length).toBeLessThan(100);
});
