import { expect, it } from 'vitest';
import { day, oneOf, oneOfOr, readAddress, readSearch, text, texts } from './search-state.ts';

const definition = {
  model: texts,
  range: oneOf(['7d', '30d']),
  group: oneOfOr(['none', 'day'], 'none'),
  from: day,
  trace: text,
};

it.each([
  ['', { model: [], range: undefined, group: 'none', from: undefined, trace: undefined }],
  ['?model=a&model=b&range=7d', { model: ['a', 'b'], range: '7d' }],
  ['?model=a', { model: ['a'] }],
  [
    '?range=8d&group=week&from=2025-1-1&trace=',
    { range: undefined, group: 'none', from: undefined, trace: undefined },
  ],
  ['?from=2025-11-31', { from: undefined }],
  ['?from=2025-13-01', { from: undefined }],
  ['?from=2025-11-14&group=day', { from: '2025-11-14', group: 'day' }],
  ['?trace=1&other=x', { trace: '1' }],
])('reads %s, and takes what makes no sense for missing', (address, expected) => {
  expect(readSearch(definition, readAddress(address))).toMatchObject(expected);
});
