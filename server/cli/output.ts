/** The three forms of a command's result: a table to read, JSON and CSV for programs. */
import { type CsvColumn, csvHeader, csvRow } from '../lib/csv.ts';
import type { Terminal } from './terminal.ts';

export type { CsvColumn };

const cutCharactersMax = 60;

export type Cell = string | number | boolean | null;

export interface Column<T> {
  title: string;
  cell: (row: T) => Cell;
  align?: 'left' | 'right';
}

/** One JSON document. */
export function printJson(terminal: Terminal, document: unknown): void {
  terminal.out(`${JSON.stringify(document, null, 2)}\n`);
}

/** A table whose columns line up, or `empty` when there is nothing to show. */
export function printTable<T>(
  terminal: Terminal,
  { rows, columns, empty }: { rows: readonly T[]; columns: readonly Column<T>[]; empty: string },
): void {
  if (rows.length === 0) {
    terminal.err(`${empty}\n`);
    return;
  }
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => showCell(cell(row)))),
  ];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => widthOf(line[i] ?? ''))));
  for (const line of lines) {
    const cells = line.map((text, i) => {
      const blanks = ' '.repeat((widths[i] ?? 0) - widthOf(text));
      return columns[i]?.align === 'right' ? blanks + text : text + blanks;
    });
    terminal.out(`${cells.join('  ').trimEnd()}\n`);
  }
}

/** Names and values, one a line. */
export function printFields(
  terminal: Terminal,
  fields: readonly (readonly [name: string, value: Cell])[],
): void {
  const width = Math.max(...fields.map(([name]) => name.length));
  for (const [name, value] of fields) {
    terminal.out(`${name.padEnd(width)}  ${showCell(value)}\n`);
  }
}

/** RFC 4180 with a header row. */
export function printCsv<T>(
  terminal: Terminal,
  rows: readonly T[],
  columns: readonly CsvColumn<T>[],
): void {
  terminal.out(csvHeader(columns));
  for (const row of rows) terminal.out(csvRow(row, columns));
}

/** The beginning of what may be long, for a table; the JSON has all of it. */
export function cut(text: string): string {
  return text.length <= cutCharactersMax ? text : `${text.slice(0, cutCharactersMax - 1)}…`;
}

/** A number of things: `1 wallet`, `2 wallets`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function showCell(value: Cell): string {
  if (value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value).replace(unprintable, '\u{FFFD}');
}

/**
 * What a name contains must not move the cursor, colour the terminal or turn its order around. What joins emoji and
 * letters does nothing of the kind: without it one emoji falls into several.
 */
const unprintable = /(?![\u200c-\u200d\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** In characters as people count them. Wide scripts may push a column; nothing is cut for it. */
function widthOf(text: string): number {
  return [...characters.segment(text)].length;
}
