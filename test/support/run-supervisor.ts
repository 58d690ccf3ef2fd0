/**
 * A program of its own: keeps two processes of a program running as the service does, and says how
 * that ended.
 *
 *     node run-supervisor.ts <program> [--without-files]
 *
 * Without files, it has as many open as it may, so that it cannot start any process.
 */
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { Supervisor } from '../../server/cluster/supervisor.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { createLogger } from '../../server/lib/logger.ts';

const [program = '', shortage] = process.argv.slice(2);
if (shortage === '--without-files') openAllFiles();
const supervisor = new Supervisor<null>({
  program,
  workers: 2,
  startOf: () => null,
  stopLimitMs: 1_000,
  clock: systemClock,
  log: createLogger('silent'),
});
try {
  await supervisor.start();
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
