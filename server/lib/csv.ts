/** RFC 4180. */

export type CsvCell = string | number | boolean | null;

export interface CsvColumn<T> {
  name: string;
  cell: (row: T) => CsvCell;
  /** Our own number, which may begin with a minus; a text that does is disarmed. */
  isNumber?: boolean;
}

export function csvHeader<T>(columns: readonly CsvColumn<T>[]): string {
  return csvLine(columns.map(({ name }) => name));
}

export function csvRow<T>(row: T, columns: readonly CsvColumn<T>[]): string {
  return csvLine(
    columns.map(({ cell, isNumber }) => {
      const text = String(cell(row) ?? '');
      return isNumber ? text : disarm(text);
    }),
  );
}

function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\r\n`;
}

/**
 * Spreadsheets run what begins like a formula, some also in full width; behind an apostrophe it stays text. Where the
 * comma is a decimal sign they part cells at semicolons, and heed no quotes within a line: there a cell may begin in
 * the middle of a text, and quotes at its beginning, of which the file has two for each, are no part of it.
 */
function disarm(text: string): string {
  return text.replaceAll(/^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@＝＋－＠])(?<=[;\r\n]"*)/g, "'");
}
