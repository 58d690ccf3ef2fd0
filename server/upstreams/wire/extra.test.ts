import { expect, it } from 'vitest';
import { withExtra } from './extra.ts';

const fields = { model: 'pencil', prompt: 'a fox', quality: 'low' };

it('has the last word about a field', () => {
  const made = withExtra(fields, { extra: { quality: 'high', seed: 7 }, kept: ['model'] });
  expect(made).toEqual({ ...fields, quality: 'high', seed: 7 });
});

it('has no word about what is kept, whether the request has it or not', () => {
  const extra = { model: 'brush', prompt: 'a bear', image: 'https://example.com' };
  const made = withExtra(fields, { extra, kept: ['model', 'prompt', 'image'] });
  expect(made).toEqual(fields);
});

it('changes nothing in what it was given', () => {
  withExtra(fields, { extra: { quality: 'high' }, kept: [] });
  expect(fields.quality).toBe('low');
});
