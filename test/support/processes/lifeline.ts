/**
 * A program of its own: runs another program for as long as its standard input is open. Because the
 * input ends however the test run dies, SIGKILL included, nothing outlives its run. Each line of the
 * input is a signal for the program.
 *
 *     node lifeline.ts '{"command": "…", "args": […], "options": { "uid": … }}'
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Program {
  command: string;
  args: readonly string[];
  options: { uid?: number; gid?: number; cwd: string };
  /** Sent when the input ends. */
  lastSignal: NodeJS.Signals;
}

// Written by whoever started it, whose type it has.
const program = JSON.parse(process.argv[2] ?? '') as Program;

// The whole process group gets the signals of a terminal; the input is what counts.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

const child = spawn(program.command, program.args, {
  ...program.options,
  detached: true,
  stdio: ['ignore', 'ignore', 'inherit'],
});
child.once('exit', (code) => process.exit(code ?? 1));
createInterface({ input: process.stdin })
  .on('line', (signal) => child.kill(signal as NodeJS.Signals))
  .on('close', () => child.kill(program.lastSignal));
