import { keyOf, type RowKey, readRows, summarise, TableHash } from '../../db/copy-table.ts';
import type { Db } from '../../db/db.ts';
import type { PieceProgress } from './copy-installation.ts';
import type { MovedTable } from './plan-move.ts';

export interface CompareOptions {
  source: Db;
  target: Db;
  pieceRows: number;
  /** Told after every piece; counts the rows of both sides. */
  onPiece: (table: MovedTable, piece: PieceProgress) => void;
}

/**
 * Reads both sides from beginning to end; answers with what differs. Counts and sums are each
 * database's own, so that they do not rest on the same reading as the hashes.
 */
export async function compareInstallations(
  tables: readonly MovedTable[],
  options: CompareOptions,
): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const table of tables) differences.push(...(await compareTable(table, options)));
  return differences;
}

async function compareTable(table: MovedTable, options: CompareOptions): Promise<string[]> {
  const { layout, summary } = table;
  const { source, target, onPiece, pieceRows } = options;
  const found = await summarise(target, layout);
  const differences: string[] = [];
  const compare = (what: string, here: string | number | undefined, there: typeof here) => {
    if (here === there) return;
    differences.push(`${layout.name}: ${what} ${here} at the source and ${there} at the target`);
  };
  compare('rows are', summary.rows, found.rows);
  for (const column of layout.amounts) {
    compare(`Σ ${column} is`, summary.sums[column], found.sums[column]);
  }
  let rows = 0;
  const onRows = (added: number) => {
    rows += added;
    onPiece(table, { added, rows });
  };
  const here = await hashRows(source, table, { pieceRows, onRows });
  const there = await hashRows(target, table, { pieceRows, onRows });
  compare('the hash of all rows is', here, there);
  return differences;
}

async function hashRows(
  db: Db,
  { layout }: MovedTable,
  { pieceRows, onRows }: { pieceRows: number; onRows: (added: number) => void },
): Promise<string> {
  const hash = new TableHash(layout.columns);
  let after: RowKey | null = null;
  for (;;) {
    const rows = await readRows(db, layout, { after, limit: pieceRows });
    for (const row of rows) hash.add(row);
    onRows(rows.length);
    const last = rows.at(-1);
    if (!last || rows.length < pieceRows) return hash.hex;
    after = keyOf(layout, last);
  }
}
