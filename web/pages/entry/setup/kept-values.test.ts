import { expect, it } from 'vitest';
import { keepableText, keptValuesIn } from './kept-values.ts';

const row = { model: 'gen-image-2', price: '', isOffered: false };
const from = { kind: 'sandbox', rows: [row] };
const changed = { kind: 'openai-images', rows: [{ ...row, price: '0.04', isOffered: true }] };

it('what was kept is there again', () => {
  expect(keptValuesIn(keepableText(from, changed), from)).toEqual(changed);
});

it('nothing of it, once the form begins with something else', () => {
  expect(keptValuesIn(keepableText(from, changed), { ...from, kind: 'openai-images' })).toEqual({});
});

it.each([
  { what: 'another kind of value', values: { ...changed, kind: 7 }, read: { rows: changed.rows } },
  { what: 'none', values: { ...changed, kind: null }, read: { rows: changed.rows } },
  { what: 'an object for a list', values: { ...changed, rows: {} }, read: { kind: changed.kind } },
  { what: 'fewer rows', values: { ...changed, rows: [] }, read: { kind: changed.kind } },
  {
    what: 'a row without its price',
    values: { ...changed, rows: [{ model: 'gen-image-2', isOffered: true }] },
    read: { kind: changed.kind },
  },
  { what: 'more than there is', values: { ...changed, toString: 'x' }, read: changed },
])('of values of which one is $what, what makes sense is taken', ({ values, read }) => {
  const text = JSON.stringify({ from: JSON.stringify(from), values });
  expect(keptValuesIn(text, from)).toEqual(read);
});

it.each([null, '', 'null', '7', '[]', '{"from":', '{"values":{}}'])(
  'what is nothing of ours is left out: %s',
  (text) => expect(keptValuesIn(text, from)).toEqual({}),
);

it.each([null, 7, 'sandbox', []])('values that are none are left out: %j', (values) => {
  const text = JSON.stringify({ from: JSON.stringify(from), values });
  expect(keptValuesIn(text, from)).toEqual({});
});
