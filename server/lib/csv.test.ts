import { expect, it } from 'vitest';
import { type CsvColumn, csvHeader, csvRow } from './csv.ts';

interface Row {
  text: string | null;
  amount: string;
}

const columns: readonly CsvColumn<Row>[] = [
  { name: 'text', cell: (row) => row.text },
  { name: 'amount', cell: (row) => row.amount, isNumber: true },
];

it('begins with the names', () => {
  expect(csvHeader(columns)).toBe('text,amount\r\n');
});

it.each([
  ['plain', 'plain'],
  [null, ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ['\n=1+1', '"\'\n\'=1+1"'],
  ['mine;=1+1;rest', "mine;'=1+1;rest"],
  ['mine;+49;-1;@sum;＝1', "mine;'+49;'-1;'@sum;'＝1"],
  ['two\r\n=lines', '"two\r\n\'=lines"'],
  ['mine;"=1+1;rest', '"mine;""\'=1+1;rest"'],
  ['two\n""=lines', '"two\n""""\'=lines"'],
  ['a;b - c', 'a;b - c'],
  ['a"=b', '"a""=b"'],
  ['＝1+1', "'＝1+1"],
  ['＠sum', "'＠sum"],
  ['a=b', 'a=b'],
  ['日本 🎞️', '日本 🎞️'],
])('U59 writes %j so that no spreadsheet runs it and none reads it otherwise', (text, cell) => {
  expect(csvRow({ text, amount: '-0.04' }, columns)).toBe(`${cell},-0.04\r\n`);
});

it.each(['a,b', 'say "hi"', '""', 'two\nlines', 'two\r\nlines', ' spaces ', '"quoted",\n"twice"'])(
  'U59 %j comes out of the file as it went in',
  (text) => {
    const row = csvRow({ text, amount: '1' }, columns);
    expect(readByRfc4180(row)).toEqual([[text, '1']]);
  },
);

/** The grammar of RFC 4180, section 2, and nothing else. */
function readByRfc4180(file: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of file.matchAll(cell)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
