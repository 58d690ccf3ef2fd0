/**
 * How far a move to another database has come, kept in the database that it fills: each piece is
 * written together with the note that it is there. The table exists only while a move is unfinished.
 */
import type { Kysely } from 'kysely';
import { OperatorError } from '../lib/operator-error.ts';
import type { RowKey } from './copy-table.ts';
import type { Db, Trx } from './db.ts';
import { listTables } from './engine.ts';
import type { Schema } from './schema.ts';
import type { TableName } from './tables.ts';

export const moveTable = 'installation_move';
const sourceNote = 'source';
const comparedNote = 'compared';

type MoveNotes = {
  [moveTable]: { name: string; value: string };
};

export interface MoveState {
  /** What the source looked like when the move began. */
  source: string;
  /** Whether both sides were found equal, so that the target may change from now on. */
  compared: boolean;
  tables: ReadonlyMap<string, TableProgress>;
}

export interface TableProgress {
  rows: number;
  /** The key of the last row copied; null before the first. */
  after: RowKey | null;
  done: boolean;
}

/** Null when no move to this database is unfinished. */
export async function readMove(db: Db): Promise<MoveState | null> {
  if (!(await listTables(db)).has(moveTable)) return null;
  const rows = await notes(db).selectFrom(moveTable).selectAll().execute();
  const byName = new Map(rows.map(({ name, value }) => [name, value]));
  const progress = rows.filter(({ name }) => name.startsWith(tableNote('')));
  return {
    source: byName.get(sourceNote) ?? '',
    compared: byName.has(comparedNote),
    tables: new Map(
      progress.map(({ name, value }) => [
        name.slice(tableNote('').length),
        // Written only by `noteProgress`.
        JSON.parse(value) as TableProgress,
      ]),
    ),
  };
}

/** Refuses a database of which a move has filled a part only: the rest would not fit to what is written there. */
export async function refuseHalfMoved(db: Db): Promise<void> {
  const move = await readMove(db);
  if (!move || move.compared) return;
  throw new OperatorError(
    'only a part of the installation has been moved to this database: end that first, by the same tintype migrate-to',
  );
}

/** Begins a move, or begins it again. */
export async function beginMove(trx: Trx, source: string): Promise<void> {
  await trx.kysely.schema
    .createTable(moveTable)
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await notes(trx).deleteFrom(moveTable).execute();
  await notes(trx).insertInto(moveTable).values({ name: sourceNote, value: source }).execute();
}

/** @param before what was last noted; false when somebody else noted something since */
export async function noteProgress(
  trx: Trx,
  table: TableName,
  { before, now }: { before: TableProgress | null; now: TableProgress },
): Promise<boolean> {
  const [name, value] = [tableNote(table), JSON.stringify(now)];
  if (!before) {
    const { numInsertedOrUpdatedRows } = await notes(trx)
      .insertInto(moveTable)
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await notes(trx)
    .updateTable(moveTable)
    .set({ value })
    .where('name', '=', name)
    .where('value', '=', JSON.stringify(before))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function noteCompared(trx: Trx): Promise<void> {
  await notes(trx).insertInto(moveTable).values({ name: comparedNote, value: 'yes' }).execute();
}

export async function endMove(trx: Trx): Promise<void> {
  await trx.kysely.schema.dropTable(moveTable).execute();
}

function tableNote(table: string): string {
  return `table ${table}`;
}

function notes(db: Db): Kysely<Schema & MoveNotes> {
  return db.kysely.withTables<MoveNotes>();
}
