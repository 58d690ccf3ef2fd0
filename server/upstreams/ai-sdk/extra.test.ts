import { expect, it } from 'vitest';
import { mergeExtra } from './extra.ts';

const isProtected = (text: string) => text === 'the prompt' || text === 'the model';

it.each<[string, unknown, unknown, unknown]>([
  ['adds a field', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['wins over a field', { a: 1 }, { a: 2 }, { a: 2 }],
  ['wins inside of a field', { a: { b: 1, c: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
  ['replaces a list', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['takes a field away', { a: 1, b: 1 }, { a: null }, { a: null, b: 1 }],
  ['leaves the prompt', { prompt: 'the prompt' }, { prompt: 'x' }, { prompt: 'the prompt' }],
  [
    'leaves the prompt deep in a list',
    { contents: [{ parts: [{ text: 'the prompt' }] }] },
    { contents: [], more: [] },
    { contents: [{ parts: [{ text: 'the prompt' }] }], more: [] },
  ],
  [
    'leaves the object that holds the prompt',
    { input: { prompt: 'the prompt', steps: 1 } },
    { input: 'x' },
    { input: { prompt: 'the prompt', steps: 1 } },
  ],
  ['leaves the model', { model: 'the model' }, { model: 'another' }, { model: 'the model' }],
  ['adds nothing when there is nothing', { a: 1 }, {}, { a: 1 }],
])('what is added %s', (_what, ours, extra, merged) => {
  expect(mergeExtra(ours, extra, isProtected)).toEqual(merged);
});

it('cannot reach the prototype of anything', () => {
  const merged = mergeExtra({ a: 1 }, JSON.parse('{"__proto__": {"polluted": true}}'), isProtected);
  expect(merged).not.toHaveProperty('polluted');
  expect({}).not.toHaveProperty('polluted');
});
