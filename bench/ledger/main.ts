/** `npm run bench:ledger`: see `options.ts` for what it takes. */
import { loadavg } from 'node:os';
import { runProgram } from '../run-program.ts';
import { countCells, measureLoad } from './measure-load.ts';
import { measureVerify } from './measure-verify.ts';
import { helpText, type Options, readOptions } from './options.ts';
import { formatLoad, formatMachine, formatRun, formatVerify } from './report.ts';

await runProgram({ helpText, readOptions, run: measure });

async function measure(options: Options): Promise<number> {
  if (options.verify) await verify(options);
  else await load(options);
  return 0;
}

async function load(options: Options): Promise<void> {
  const say = sayUnless(options.json);
  say(formatMachine());
  say(`${countCells(options)} cells of ${options.seconds} s, ${options.rounds} rounds`);
  const results = await measureLoad(options, (run) => say(formatRun(run)));
  if (options.json) printJson({ load: results });
  else say(`\n${formatLoad(results)}`);
}

async function verify(options: Options): Promise<void> {
  const say = sayUnless(options.json);
  say(formatMachine());
  const results = await measureVerify(options, say);
  if (options.json) printJson({ verify: results });
  else say(`\n${formatVerify(results)}`);
}

/** Progress is for people; with `--json` only the outcome is printed. */
function sayUnless(json: boolean): (text: string) => void {
  return json ? () => {} : (text) => console.log(text);
}

function printJson(outcome: object): void {
  const machine = { ...machineNow(), ...outcome };
  process.stdout.write(`${JSON.stringify(machine, null, 2)}\n`);
}

function machineNow() {
  return { measured_at: new Date().toISOString(), load_average: loadavg() };
}
