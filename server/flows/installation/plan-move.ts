import {
  clearTable,
  findUsedTable,
  readLastKey,
  readLayout,
  summarise,
  type TableLayout,
  type TableSummary,
} from '../../db/copy-table.ts';
import type { Database, Db, Trx } from '../../db/db.ts';
import { migrate, refuseForeign } from '../../db/migrate.ts';
import { beginMove, type MoveState, readMove } from '../../db/move-state.ts';
import { type TableName, tableNames } from '../../db/tables.ts';
import { assert, must } from '../../lib/assert.ts';
import { OperatorError } from '../../lib/operator-error.ts';

export interface MovePlan {
  tables: readonly MovedTable[];
  /** How far an earlier run has come. */
  state: MoveState;
}

export interface MovedTable {
  layout: TableLayout;
  /** Of the source. */
  summary: TableSummary;
  /** 1, 2, 3 … in the order in which tables are moved. */
  position: number;
}

export interface MoveEnds {
  /** Locked: it looks the same as long as the move goes on. */
  source: Db;
  target: Database;
  /** Clears an unfinished move from the target and begins again. */
  restart: boolean;
}

/**
 * Makes the target ready to be filled, or finds the unfinished move of this very source there.
 * Refuses a target that somebody uses.
 */
export async function planMove({ source, target, restart }: MoveEnds): Promise<MovePlan> {
  // First: behind this, what is called like ours is ours.
  await refuseForeign(target);
  const moved = await readMovedTables(source);
  const likeness = await describeSource(source, moved);
  const unfinished = await readMove(target);
  if (!unfinished) await refuseUsed(target);
  else if (unfinished.compared) refuseToMoveAgain(unfinished, { likeness, restart });
  else if (!restart) refuseOtherSource(unfinished, likeness);
  await migrate(target);
  await refuseOtherColumns(target, moved);
  if (!unfinished || restart) {
    await target.transaction(async (trx) => {
      await clearInstallation(trx);
      await beginMove(trx, JSON.stringify(likeness));
    });
  }
  return { tables: moved, state: must(await readMove(target), 'the move') };
}

async function readMovedTables(source: Db): Promise<readonly MovedTable[]> {
  const moved: MovedTable[] = [];
  for (const name of tableNames) {
    const layout = await readLayout(source, name);
    moved.push({ layout, summary: await summarise(source, layout), position: moved.length + 1 });
  }
  return moved;
}

/** By table: what tells one source from another, and from itself after a change. */
type Likeness = Readonly<Record<string, unknown>>;

async function describeSource(source: Db, moved: readonly MovedTable[]): Promise<Likeness> {
  const likeness: Record<string, unknown> = {};
  for (const { layout, summary } of moved) {
    likeness[layout.name] = { ...summary, last: await readLastKey(source, layout) };
  }
  return likeness;
}

async function refuseUsed(target: Database): Promise<void> {
  const used = await findUsedTable(target);
  if (used === null) return;
  throw new OperatorError(
    `the target has data already (table ${used}): an installation moves only into an empty database`,
  );
}

function refuseOtherSource(move: MoveState, likeness: Likeness): void {
  const differing = differingTables(move, likeness);
  if (differing.length === 0) return;
  throw new OperatorError(
    `the target holds an unfinished move of another source, or this source has changed since ` +
      `(${differing.join(', ')}): --restart clears the target and begins again`,
  );
}

/** Once everything was there and compared, services may run on it: what they wrote is nowhere else. */
function refuseToMoveAgain(
  move: MoveState,
  { likeness, restart }: { likeness: Likeness; restart: boolean },
): void {
  const differing = differingTables(move, likeness);
  if (differing.length === 0 && !restart) return;
  const advice =
    differing.length === 0
      ? 'the same command without --restart ends that move'
      : `it was a move of another source, or this source has changed since (${differing.join(', ')})`;
  throw new OperatorError(
    'the target holds all that an earlier move brought, may have been used since, and is not cleared: ' +
      `${advice}; to move again, name an empty database`,
  );
}

function differingTables({ source }: MoveState, likeness: Likeness): readonly TableName[] {
  // Written by `beginMove` from a likeness.
  const begun = JSON.parse(source) as Likeness;
  return tableNames.filter(
    (name) => JSON.stringify(begun[name]) !== JSON.stringify(likeness[name]),
  );
}

async function refuseOtherColumns(target: Database, moved: readonly MovedTable[]): Promise<void> {
  for (const { layout } of moved) {
    const { columns } = await readLayout(target, layout.name);
    assert(
      columns.toSorted().join() === layout.columns.toSorted().join(),
      `${layout.name} has the same columns on both sides`,
    );
  }
}

/** Also takes away what a new installation comes with. */
async function clearInstallation(trx: Trx): Promise<void> {
  for (const name of tableNames.toReversed()) await clearTable(trx, name);
}
