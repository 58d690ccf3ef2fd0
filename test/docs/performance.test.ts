/** `docs/performance.md` says what is measured. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { cases } from '../../bench/gateway/cases.ts';
import { withMeasured } from '../../bench/gateway/write-document.ts';
import { cellsOf } from './document-tables.ts';

const file = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const document = readFileSync(file, 'utf8');

it('explains every case of the bench, and no other', () => {
  const rows = cellsOf(document, 'cases');
  expect(rows.map(([name]) => name)).toEqual(cases.map(({ name }) => `\`${name}\``));
  for (const [, what] of rows) expect(what).not.toBe('');
});

it('has a place for results, which are replaced and nothing else', () => {
  const written = withMeasured(withMeasured(document, 'old figures $&'), 'new figures $1');
  expect(written).toContain('<!-- measured: begin -->\nnew figures $1\n<!-- measured: end -->');
  expect(written).not.toContain('old figures');
  const around = (text: string) => text.split(/<!-- measured: begin -->.*<!-- measured: end -->/s);
  expect(around(written)).toEqual(around(document));
});

it('is not written to where that place is missing', () => {
  expect(() => withMeasured('# Performance\n', 'figures')).toThrow('markers');
});
