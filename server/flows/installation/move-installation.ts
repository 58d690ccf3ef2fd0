/**
 * Moves an installation to another database, row by row as it is. The source is locked and only
 * read. Every piece is written together with the note that it is there, so a move that was
 * interrupted goes on where it stopped; at the end both sides are read again and compared.
 */
import type { Database, Trx } from '../../db/db.ts';
import { analyzeTables } from '../../db/engine.ts';
import { endMove, noteCompared } from '../../db/move-state.ts';
import { tableNames } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { adminChange } from '../admin-change.ts';
import { type BooksReport, verifyBooks } from '../money/verify-books.ts';
import { compareInstallations } from './compare-installations.ts';
import { copyInstallation, type PieceProgress } from './copy-installation.ts';
import { endAbandoned } from './end-abandoned.ts';
import { type MovedTable, type MovePlan, planMove } from './plan-move.ts';
import { refuseWhileServed } from './running-services.ts';

export interface Move {
  source: Database;
  target: Database;
  clock: Clock;
  /** Who moves it, for the audit of the target. */
  actor: string;
  /** Clears an unfinished move from the target and begins again. */
  restart: boolean;
  /** Told after every piece. */
  onProgress: (progress: MoveProgress) => void;
  /** Rows that are in memory, and written in one transaction, at a time. */
  pieceRows?: number;
}

export interface MoveProgress extends PieceProgress {
  step: 'copy' | 'compare';
  table: string;
  /** 1, 2, 3 … of `tables`. */
  position: number;
  tables: number;
  rowsTotal: number;
}

export type MoveOutcome =
  | { kind: 'moved'; tables: number; rows: number; books: BooksReport }
  /** What is at the target is not what is at the source. */
  | { kind: 'different'; differences: readonly string[] };

const pieceRowsStandard = 1_000;

export function moveInstallation(move: Move): Promise<MoveOutcome> {
  // Nobody can write to the source while this transaction is open.
  return move.source.transaction((source) => moveLocked(source, move));
}

async function moveLocked(source: Trx, move: Move): Promise<MoveOutcome> {
  const { target, restart, pieceRows = pieceRowsStandard } = move;
  await refuseWhileServed(source);
  await refuseWhileServed(target);
  const plan = await planMove({ source, target, restart });
  if (!plan.state.compared) {
    await copyInstallation(plan, {
      source,
      target,
      pieceRows,
      onPiece: (...piece) => move.onProgress(describe('copy', ...piece)),
    });
    const differences = await compareInstallations(plan.tables, {
      source,
      target,
      pieceRows,
      onPiece: (...piece) => move.onProgress(describe('compare', ...piece)),
    });
    if (differences.length > 0) return { kind: 'different', differences };
    await target.transaction(noteCompared);
  }
  return finish(plan, move);
}

/** From here on the target is the installation, and what its processes left open comes to its end. */
async function finish({ tables }: MovePlan, { target, clock, actor }: Move): Promise<MoveOutcome> {
  await target.transaction((trx) => analyzeTables(trx, tableNames));
  await endAbandoned(target, clock);
  const books = await verifyBooks(target);
  const rows = tables.reduce((sum, { summary }) => sum + summary.rows, 0);
  const admin = { database: target, clock, actor, reason: null };
  await adminChange(admin, async (trx) => {
    await endMove(trx);
    const detail = { to: target.engine, rows };
    const entry = { action: 'installation.move', subject: 'installation', detail, topic: null };
    return { result: null, entry };
  });
  return { kind: 'moved', tables: tables.length, rows, books };
}

function describe(
  step: MoveProgress['step'],
  { layout, position, summary }: MovedTable,
  piece: PieceProgress,
): MoveProgress {
  // Comparing reads both sides.
  const rowsTotal = step === 'copy' ? summary.rows : 2 * summary.rows;
  return { ...piece, step, table: layout.name, position, tables: tableNames.length, rowsTotal };
}
