import { describe, expect, it } from 'vitest';
import { type CsvColumn, counted, printCsv, printFields, printTable } from './output.ts';

interface Row {
  name: string;
  amount: string;
}

describe('a table', () => {
  it('lines up its columns, numbers to the right', () => {
    const rows = [
      { name: 'a', amount: '1.00' },
      { name: 'longer', amount: '-12.50' },
    ];
    expect(table(rows)).toBe(['NAME    AMOUNT', 'a         1.00', 'longer  -12.50', ''].join('\n'));
  });

  it('counts characters, not the bytes or halves they are made of', () => {
    expect(
      table([
        { name: '🦊é', amount: '1' },
        { name: 'abc', amount: '1' },
      ]),
    ).toBe(['NAME  AMOUNT', '🦊é         1', 'abc        1', ''].join('\n'));
  });

  it('lets no name move the cursor, colour the terminal or begin a line', () => {
    const shown = table([{ name: 'a\u001b[31mb\nc\u202e', amount: '1' }]);
    expect(shown.split('\n')[1]).toBe('a\uFFFD[31mb\uFFFDc\uFFFD       1');
  });

  it.each([
    ['emoji that are joined into one', '👩‍👩‍👧'],
    ['the flag of a part of a country', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['letters that are kept from joining', 'می‌خ'],
  ])('shows %s as they are', (_what, name) => {
    const shown = table([{ name, amount: '1' }]).split('\n')[1];
    expect(shown).toMatch(new RegExp(`^${name} +1$`));
  });

  it('counts joined emoji as the one that is seen', () => {
    expect(
      table([
        { name: '👩‍👩‍👧', amount: '1' },
        { name: 'abcd', amount: '1' },
      ]),
    ).toBe(['NAME  AMOUNT', '👩‍👩‍👧          1', 'abcd       1', ''].join('\n'));
  });

  it('says on the error side that there is nothing', () => {
    const { terminal, written } = recorder();
    printTable<Row>(terminal, { rows: [], columns: [], empty: 'No users.' });
    expect(written).toEqual({ out: '', err: 'No users.\n' });
  });
});

it('counts things', () => {
  const secrets = [0, 1, 2].map((count) => counted(count, 'secret is', 'secrets are'));
  expect(secrets).toEqual(['0 secrets are', '1 secret is', '2 secrets are']);
  expect([1, 2].map((count) => counted(count, 'wallet'))).toEqual(['1 wallet', '2 wallets']);
});

it('shows fields one a line, and a dash for what is missing', () => {
  const { terminal, written } = recorder();
  printFields(terminal, [
    ['id', 'usr_1'],
    ['disabled_at', null],
    ['enabled', true],
  ]);
  expect(written.out).toBe('id           usr_1\ndisabled_at  -\nenabled      yes\n');
});

describe('CSV', () => {
  const columns: readonly CsvColumn<Row>[] = [
    { name: 'name', cell: (row) => row.name },
    { name: 'amount', cell: (row) => row.amount, isNumber: true },
  ];

  it.each([
    ['plain text', 'alice', 'alice'],
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'a"b', '"a""b"'],
    ['a line end', 'a\nb', '"a\nb"'],
    ['a formula', '=1+1', "'=1+1"],
    ['a plus', '+1', "'+1"],
    ['a minus', '-1', "'-1"],
    ['an at', '@SUM(A1)', "'@SUM(A1)"],
    ['a tab', '\t=1', "'\t=1"],
    ['a carriage return', '\r=1', '"\'\r\'=1"'],
    ['a quoted formula', '=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ])('writes %s so that it stays text', (_what, name, expected) => {
    expect(csv([{ name, amount: '1' }])).toBe(`name,amount\r\n${expected},1\r\n`);
  });

  it('leaves our own negative numbers alone', () => {
    expect(csv([{ name: 'a', amount: '-3.20' }])).toBe('name,amount\r\na,-3.20\r\n');
  });

  it('has its header even without rows', () => {
    expect(csv([])).toBe('name,amount\r\n');
  });

  function csv(rows: readonly Row[]): string {
    const { terminal, written } = recorder();
    printCsv(terminal, rows, columns);
    return written.out;
  }
});

function table(rows: readonly Row[]): string {
  const { terminal, written } = recorder();
  printTable(terminal, {
    rows,
    columns: [
      { title: 'NAME', cell: (row) => row.name },
      { title: 'AMOUNT', cell: (row) => row.amount, align: 'right' },
    ],
    empty: 'Nothing.',
  });
  return written.out;
}

function recorder() {
  const written = { out: '', err: '' };
  const terminal = {
    out: (text: string) => {
      written.out += text;
    },
    err: (text: string) => {
      written.err += text;
    },
    input: async () => '',
    environment: {},
  };
  return { terminal, written };
}
