/** `npm run storm`: see `options.ts` for what it takes, `storm.ts` for what it does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName } from '../../server/db/engine-name.ts';
import { runProgram } from '../run-program.ts';
import { helpText, type Options, readOptions } from './options.ts';
import { formatReport, violationsOf } from './report.ts';
import { type Progress, runStorm } from './storm.ts';
import { createDatabase } from './storm-database.ts';

/** SQLite is for one process, PostgreSQL for several. */
const servers: Readonly<Record<EngineName, number>> = { sqlite: 1, postgres: 3 };

await runProgram({ helpText, readOptions, run: storm });

async function storm(options: Options): Promise<number> {
  console.log(`Storm with --seed ${options.seed}`);
  let violations = 0;
  for (const engine of options.engines) violations += await stormOn(engine, options);
  if (violations === 0) {
    console.log('Every picture was paid for exactly once, and every charge has its picture.');
    return 0;
  }
  console.log(
    `${violations} violations. The same schedule again: --seed ${options.seed}; ` +
      'with --keep the logs, the journal and the embedded database stay for inspection.',
  );
  return 1;
}

/** The number of violations. */
async function stormOn(engine: EngineName, options: Options): Promise<number> {
  const { keep, kills, requests, seconds, seed, workers } = options;
  // On a real disk, where commits take their time.
  const folder = mkdtempSync(join(tmpdir(), `tintype-storm-${engine}-`));
  const database = await createDatabase(engine, folder);
  const size = { seed, requests, kills, seconds, servers: servers[engine] };
  console.log(`\n${engine}: ${requests} errands, ${kills} blows, ${size.servers} server(s)`);
  try {
    const report = await runStorm({
      size,
      database,
      folder,
      workers,
      onProgress: (progress) => console.log(formatProgress(progress, options)),
    });
    console.log(formatReport(report));
    if (keep) writeFileSync(join(folder, 'stories.json'), JSON.stringify(report.books.stories));
    return violationsOf(report).length;
  } finally {
    if (keep) console.log(`  kept      ${folder} (${database.place})`);
    else rmSync(folder, { recursive: true, force: true });
    await database.finish({ keep });
  }
}

function formatProgress(
  { blowsDone, errandsDone, held, seconds }: Progress,
  { kills, requests }: Options,
): string {
  return `  ${seconds.toFixed(0).padStart(3)} s   ${errandsDone}/${requests} errands done, ${held} with pictures, ${blowsDone}/${kills} blows`;
}
