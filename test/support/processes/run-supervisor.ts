/**
 * A program of its own: keeps two processes of a program running as the service does, without pauses,
 * writes one dot for each that dies, and says how that ended.
 *
 *     node run-supervisor.ts <program> [--without-files | --without-room | --stop]
 *
 * Without files, it has as many open as it may; without room, there is more in its environment than a process is
 * given. Either way it cannot start any. Told to stop, it does so as soon as both are ready, with no patience at all.
 */
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { Supervisor } from '../../../server/cluster/supervisor.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { createLogger } from '../../../server/lib/logger.ts';

const [program = '', mode] = process.argv.slice(2);
if (mode === '--without-files') openAllFiles();
// Linux takes 128 KiB for each.
if (mode === '--without-room') process.env['TOO_LONG'] = 'x'.repeat(256 * 1024);
const supervisor = new Supervisor<null>({
  program,
  workers: 2,
  startOf: () => null,
  stopLimitMs: 1_000,
  clock: { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(0, signal) },
  log: createLogger('error', { write: () => void process.stderr.write('.') }),
});
try {
  await supervisor.start();
  if (mode === '--stop') process.stdout.write((await supervisor.stop()) ? 'stopped' : 'killed');
  else await supervisor.broken;
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error));
  await supervisor.stop();
  process.exitCode = 1;
}

function openAllFiles(): void {
  try {
    for (;;) openSync(devNull, 'r');
  } catch {
    // There is none left.
  }
}
