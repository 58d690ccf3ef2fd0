/** `npm run bench`: see `options.ts` for what it takes, docs/performance.md for what it means. */
import { type MachineState, waitUntilQuiet } from '../machine.ts';
import { runProgram } from '../run-program.ts';
import { Bench, type Say } from './bench.ts';
import { describeMachine } from './describe-machine.ts';
import { Results } from './goals.ts';
import { measureCase } from './measure-case.ts';
import { helpText, type Options, readOptions } from './options.ts';
import { formatResults, worstNoise } from './report.ts';
import type { Result } from './results.ts';
import { writeDocument } from './write-document.ts';

const quietWaitMs = 3_000;

await runProgram({ helpText, readOptions, run });

async function run(options: Options): Promise<number> {
  try {
    return await measure(options, (text) => console.error(text));
  } catch (error) {
    console.error(`error: ${messageOf(error)}`);
    return 1;
  }
}

async function measure(options: Options, say: Say): Promise<number> {
  const startedAt = performance.now();
  const machine = await waitUntilQuiet(quietWaitMs);
  const results: Result[] = [];
  await using bench = await Bench.open({ ...options, say });
  for (const [index, each] of options.cases.entries()) {
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    say(`${index + 1}/${options.cases.length} ${each.name}: ${each.title} (${minutes} min)`);
    results.push(...(await measureCase(bench, each, { ...options, say })));
  }
  say('checks the books');
  await bench.checkMoney();
  report(results, machine, options);
  for (const failure of bench.failures) console.error(`wrong: ${failure}`);
  return bench.failures.length === 0 ? 0 : 1;
}

function report(results: readonly Result[], machine: MachineState, options: Options): void {
  const where = describeMachine(machine, worstNoise(results));
  const text = `${where}.\n\n${formatResults(new Results(results))}`;
  if (options.json)
    process.stdout.write(`${JSON.stringify({ machine: where, results }, null, 2)}\n`);
  else console.log(`\n${text}`);
  if (options.write) writeDocument(text);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
