import { existsSync } from 'node:fs';
import {
  buildConsole,
  canBuild,
  consoleFolder,
  isBuilt,
} from '../../../web/build/build-console.ts';
import { systemClock } from '../../lib/clock.ts';

/**
 * The folder of the built console, made first where it is missing or older than its sources: a
 * fresh clone needs no other command. An installation without the tools serves what it brought, and
 * pictures can be made without any console.
 */
export async function prepareConsole(): Promise<string | null> {
  if (canBuild() && !isBuilt()) await build();
  return existsSync(consoleFolder) ? consoleFolder : null;
}

async function build(): Promise<void> {
  const begun = systemClock.monotonic();
  process.stderr.write('Building the console …\n');
  try {
    await buildConsole();
    const seconds = ((systemClock.monotonic() - begun) / 1000).toFixed(1);
    process.stderr.write(`The console is built (${seconds} s).\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
