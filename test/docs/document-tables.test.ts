import { expect, it } from 'vitest';
import { withTables } from './document-tables.ts';

const document = 'Foxes:\n<!-- generated foxes: begin -->\nold\n<!-- generated foxes: end -->\n';

it('puts a table between its markers, and leaves the rest as it is', () => {
  expect(withTables(document, new Map([['foxes', '| red |\n']]))).toBe(
    document.replace('old', '| red |'),
  );
});

it('says what to write into a document that has no place for a table', () => {
  const tables = new Map([
    ['foxes', ''],
    ['red hares', ''],
  ]);
  expect(() => withTables(document, tables)).toThrow(
    '<!-- generated red hares: begin -->\n<!-- generated red hares: end -->',
  );
});

it('names markers whose table is no more', () => {
  expect(() => withTables(document, new Map())).toThrow('foxes');
});
