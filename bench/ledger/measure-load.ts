/** The cells of the measurement, in interleaved rounds. */
import type { EngineName } from '../../server/db/engine-name.ts';
import { verifyBooks } from '../../server/flows/money/verify-books.ts';
import { must } from '../../server/lib/assert.ts';
import { fillLedger } from '../../test/support/history/filled-ledger.ts';
import { type MachineState, waitUntilQuiet } from '../machine.ts';
import { type FreshDatabase, openBench, withDatabase } from './bench-databases.ts';
import type { Options } from './options.ts';
import { type Cell, type LoadResult, runLoad } from './run-load.ts';

export interface Run {
  cell: Cell;
  machine: MachineState;
  load: LoadResult;
}

export interface CellResult {
  cell: Cell;
  /** As many as there were rounds. */
  runs: readonly Run[];
  /** The one with the median of pairs per second. */
  median: Run;
}

const walletsMany = 1_000;
/** SQLite is for one process, PostgreSQL for several. */
const processes: Readonly<Record<EngineName, readonly number[]>> = {
  sqlite: [1],
  postgres: [1, 2, 3],
};

export function countCells(options: Options): number {
  return options.engines.flatMap((engine) => cellsOf(engine, options)).length;
}

export async function measureLoad(
  options: Options,
  onRun: (run: Run) => void,
): Promise<readonly CellResult[]> {
  const runs: Run[] = [];
  await using bench = await openBench(options.engines);
  for (let round = 1; round <= options.rounds; round++) {
    for (const engine of options.engines) {
      // A new one each round, so that no round finds more in it than another.
      await using database = await bench.create(engine);
      await withDatabase(database, (open) =>
        fillLedger(open, { wallets: walletsMany, transactions: walletsMany }),
      );
      for (const cell of cellsOf(engine, options)) {
        const run = await measureCell(cell, database, options);
        runs.push(run);
        onRun(run);
      }
      await refuseWrongBooks(database);
    }
  }
  return [...Map.groupBy(runs, ({ cell }) => JSON.stringify(cell)).values()].map(resultOf);
}

function cellsOf(engine: EngineName, options: Options): readonly Cell[] {
  return processes[engine].flatMap((count) =>
    [walletsMany, 1].flatMap((wallets) =>
      options.callers
        .filter((callers) => callers >= count)
        .map((callers) => ({ engine, processes: count, wallets, callers })),
    ),
  );
}

async function measureCell(cell: Cell, database: FreshDatabase, options: Options): Promise<Run> {
  const machine = await waitUntilQuiet(options.quietWaitSeconds * 1_000);
  return { cell, machine, load: await runLoad(cell, database.location, options.seconds) };
}

/** Speed counts for nothing if a charge is lost. */
async function refuseWrongBooks(database: FreshDatabase): Promise<void> {
  const { violations } = await withDatabase(database, verifyBooks);
  if (violations.length === 0) return;
  throw new Error(`the books are wrong afterwards: ${JSON.stringify(violations.slice(0, 3))}`);
}

function resultOf(runs: readonly Run[]): CellResult {
  const sorted = [...runs].sort((a, b) => a.load.pairsPerSecond - b.load.pairsPerSecond);
  const median = must(sorted[Math.floor((sorted.length - 1) / 2)], 'a run of the cell');
  return { cell: median.cell, runs, median };
}
