/**
 * A program of its own: keeps two processes of a program running as the service does, and says how
 * that ended.
 *
 *     node run-supervisor.ts <program>
 */
import { Supervisor } from '../../server/cluster/supervisor.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { createLogger } from '../../server/lib/logger.ts';

const [program = ''] = process.argv.slice(2);
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
