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

// Check 59.
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
  ['a=b', 'a=b'],
  ['日本 🎞️', '日本 🎞️'],
])('59: writes %j so that no spreadsheet runs it and none reads it otherwise', (text, cell) => {
  expect(csvRow({ text, amount: '-0.04' }, columns)).toBe(`${cell},-0.04\r\n`);
});
