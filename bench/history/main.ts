/** `npm run bench:history`: see `options.ts` for what it takes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../server/db/migrate.ts';
import { openBench, openLocation } from '../ledger/bench-databases.ts';
import { formatMachine } from '../ledger/report.ts';
import { runProgram } from '../run-program.ts';
import { fill, type HistoryResult, measureHistory } from './measure-history.ts';
import { helpText, type Options, readOptions } from './options.ts';

await runProgram({ helpText, readOptions, run: measure });

async function measure(options: Options): Promise<number> {
  const say = (text: string) => console.log(text);
  say(formatMachine());
  for (const engine of options.engines) {
    say(`${engine}:`);
    const result =
      engine === 'sqlite' ? await onSqlite(options, say) : await onPostgres(options, say);
    say(format(result));
  }
  return 0;
}

async function onSqlite(options: Options, say: (text: string) => void): Promise<HistoryResult> {
  if (options.dataDir !== null) {
    return measureHistory({ url: null, dataDir: options.dataDir }, say);
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'tintype-history-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  if (options.keep) say(`  kept in ${dataDir}`);
  else process.once('exit', remove);
  const location = { url: null, dataDir };
  const database = openLocation(location);
  await migrate(database);
  await database.close();
  await fill(location, options, say);
  return measureHistory(location, say);
}

async function onPostgres(options: Options, say: (text: string) => void): Promise<HistoryResult> {
  await using bench = await openBench(['postgres']);
  await using database = await bench.create('postgres');
  await fill(database.location, options, say);
  return await measureHistory(database.location, say);
}

function format(result: HistoryResult): string {
  const { verification, pruning, pages } = result;
  return [
    `${result.records} records, ${result.transactions} transactions, ${(result.databaseBytes / 1e9).toFixed(2)} GB`,
    '| page | first ms | again ms | kB |',
    '|---|---:|---:|---:|',
    ...pages.map(
      ({ page, coldMs, warmMs, bytes }) =>
        `| ${page} | ${coldMs.toFixed(0)} | ${warmMs.toFixed(0)} | ${(bytes / 1e3).toFixed(0)} |`,
    ),
    `a month's statement of the busiest wallet: ${result.statementMs.toFixed(0)} ms`,
    `verify: ${verification.seconds.toFixed(1)} s, ${(verification.peakBytes / 1e6).toFixed(0)} MB`,
    `pruning: ${pruning.rowsPerSecond.toFixed(0)} records a second, longest batch ${pruning.longestMs.toFixed(0)} ms`,
  ].join('\n');
}
