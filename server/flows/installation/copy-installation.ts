import { insertRows, keyOf, type Row, readRows } from '../../db/copy-table.ts';
import type { Database, Db } from '../../db/db.ts';
import { noteProgress, type TableProgress } from '../../db/move-state.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import type { MovedTable, MovePlan } from './plan-move.ts';

export interface PieceProgress {
  /** Of the piece. */
  added: number;
  /** Of the table, so far. */
  rows: number;
}

export interface CopyOptions {
  source: Db;
  target: Database;
  /** Rows that are read, and written in one transaction, at a time. */
  pieceRows: number;
  /** Told after every piece. */
  onPiece: (table: MovedTable, piece: PieceProgress) => void;
}

/** Copies what an earlier run has not copied yet. */
export async function copyInstallation(
  { tables, state }: MovePlan,
  options: CopyOptions,
): Promise<void> {
  for (const table of tables) {
    await copyTable(table, state.tables.get(table.layout.name) ?? null, options);
  }
}

async function copyTable(
  table: MovedTable,
  begun: TableProgress | null,
  { source, target, pieceRows, onPiece }: CopyOptions,
): Promise<void> {
  const { layout } = table;
  for (let before = begun; !before?.done; ) {
    const after = before?.after ?? null;
    const rows = await readRows(source, layout, { after, limit: pieceRows });
    if (target.engine === 'postgres') refuseUnstorable(table, rows);
    const last = rows.at(-1);
    const now: TableProgress = {
      rows: (before?.rows ?? 0) + rows.length,
      after: last ? keyOf(layout, last) : after,
      done: rows.length < pieceRows,
    };
    await target.transaction(async (trx) => {
      await insertRows(trx, layout, rows);
      if (await noteProgress(trx, layout.name, { before, now })) return;
      throw new OperatorError('another move writes to the target: wait for it, or stop it');
    });
    onPiece(table, { added: rows.length, rows: now.rows });
    before = now;
  }
}

/** PostgreSQL takes every character in a text but this one. */
const unstorable = '\0';

function refuseUnstorable({ layout }: MovedTable, rows: readonly Row[]): void {
  for (const row of rows) {
    for (const column of layout.columns) {
      const value = row[column];
      if (typeof value !== 'string' || !value.includes(unstorable)) continue;
      throw new OperatorError(
        `PostgreSQL cannot hold the NUL character in ${column} of row ${keyOf(layout, row).join(', ')} ` +
          `in table ${layout.name}: change that text first`,
      );
    }
  }
}
