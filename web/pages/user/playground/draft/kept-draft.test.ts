import { expect, it } from 'vitest';
import { keptDraftIn } from './kept-draft.ts';
import { defaultWanted } from './wanted.ts';

const empty = { prompt: '', model: null, wanted: defaultWanted };
const wanted = { ...defaultWanted, size: '1024x1536', variations: 3, compression: 0 };
const whole = { prompt: 'a fox', model: 'gen-image-2', wanted };

it.each([
  { what: 'what this version keeps', draft: whole, read: whole },
  { what: 'nothing', draft: {}, read: empty },
  { what: 'a prompt alone', draft: { prompt: 'a fox' }, read: { ...empty, prompt: 'a fox' } },
  {
    what: 'other kinds of values',
    draft: { prompt: ['a fox'], model: 2, wanted: 'auto' },
    read: empty,
  },
  {
    what: 'settings that there are no more, beside one that there is',
    draft: {
      ...whole,
      wanted: { ...wanted, size: '3x3', format: 'gif', previews: -1, variations: 400 },
    },
    read: { ...whole, wanted: { ...defaultWanted, compression: 0 } },
  },
  { what: 'more than there is', draft: { ...whole, references: {}, shown: null }, read: whole },
])('of a draft that has $what, what makes sense is taken', ({ draft, read }) => {
  expect(keptDraftIn(JSON.stringify({ userId: 'u1', draft }), 'u1')).toEqual(read);
});

it.each([
  null,
  '',
  'null',
  '7',
  '"a fox"',
  '{"userId":"u1"',
  '{"userId":"u1"}',
  '{"userId":"u1","draft":null}',
  '{"userId":"u1","draft":"a fox"}',
  JSON.stringify({ userId: 'u2', draft: whole }),
])('what is no draft of theirs is none: %s', (text) => {
  expect(keptDraftIn(text, 'u1')).toBeNull();
});
