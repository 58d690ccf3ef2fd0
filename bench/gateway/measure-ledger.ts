/** The ledger without any pictures: one cell of `npm run bench:ledger` on each engine. */
import { fillLedger } from '../../test/support/history/filled-ledger.ts';
import { openBench, withDatabase } from '../ledger/bench-databases.ts';
import { runLoad } from '../ledger/run-load.ts';
import { waitUntilQuiet } from '../machine.ts';
import type { Say } from './bench.ts';
import type { GatewayName } from './cases.ts';
import { moveTo } from './children.ts';
import type { LedgerResult } from './results.ts';

const wallets = 1_000;
const callers = 32;
const seconds = 3;
const quietWaitMs = 3_000;

export async function measureLedger(
  gateways: readonly GatewayName[],
  say: Say,
): Promise<readonly LedgerResult[]> {
  const engines = (['sqlite', 'postgres'] as const).filter((engine) => gateways.includes(engine));
  const results: LedgerResult[] = [];
  // Ledger, callers and database have the whole machine here.
  moveTo('all');
  try {
    await using bench = await openBench(engines);
    for (const engine of engines) {
      await using database = await bench.create(engine);
      await withDatabase(database, (open) => fillLedger(open, { wallets, transactions: wallets }));
      const { syncsPerSecond } = await waitUntilQuiet(quietWaitMs);
      const cell = { engine, processes: 1, wallets, callers };
      const { pairsPerSecond } = await runLoad(cell, database.location, seconds);
      say(`  ledger ${engine}: ${Math.round(pairsPerSecond)} pairs/s`);
      results.push({ kind: 'ledger', engine, pairsPerSecond, syncsPerSecond });
    }
  } finally {
    moveTo('load');
  }
  return results;
}
