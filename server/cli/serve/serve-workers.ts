import { fileURLToPath } from 'node:url';
import { migrateFirst, openServiceDatabase } from '../../app/database.ts';
import { Supervisor } from '../../cluster/supervisor.ts';
import type { Config } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { CommandFailed } from '../failure.ts';
import { reachDatabase } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { type Announcing, announce } from './announce.ts';
import { openLog } from './open-log.ts';
import { prepareConsole } from './prepare-console.ts';
import { stopAtSignal } from './run-app.ts';
import { configOfWorker, type WorkerStart } from './worker-start.ts';

const program = fileURLToPath(new URL('./serve-worker.ts', import.meta.url));

/** Beyond the time that a worker gives its requests: to say goodbye to its database and clients. */
const stopMarginMs = 10_000;

/** Runs the service in several processes until it is told to stop. This one serves nothing itself. */
export async function serveWithWorkers(config: Config, terminal: Terminal): Promise<void> {
  const webFolder = await prepareConsole();
  const log = openLog(config, 'stdout');
  await reachDatabase(config);
  await migrateFirst({ config, log });
  const supervisor = new Supervisor<WorkerStart>({
    program,
    workers: config.workers,
    startOf: (number) => ({ number, config: configOfWorker(config, number), webFolder }),
    stopLimitMs: config.shutdownDelayMs + config.shutdownLimitMs + stopMarginMs,
    clock: systemClock,
    log,
  });
  let announced = Promise.resolve();
  const stopped = stopAtSignal({
    stop: async () => {
      log.info({}, 'stopping');
      await announced;
      if (!(await supervisor.stop())) throw new CommandFailed('workers had to be killed');
    },
    endAtOnce: () => supervisor.kill(),
  });
  try {
    const baseUrl = await Promise.race([supervisor.start(), stopped]);
    // Undefined where it was told to stop before.
    if (baseUrl !== undefined) {
      const database = config.databaseUrl === null ? 'sqlite' : 'postgres';
      log.info({ base_url: baseUrl, database, workers: config.workers }, 'listening');
      announced = announceOnce(baseUrl, { config, log, terminal });
      await announced;
      await Promise.race([stopped, supervisor.broken]);
    }
  } catch (error) {
    // What works is not cut off because another worker cannot be replaced.
    await supervisor.stop();
    throw error;
  }
  log.info({}, 'stopped');
}

/** The supervisor needs its database no longer than this. */
async function announceOnce(baseUrl: string, announcing: Announcing): Promise<void> {
  const database = openServiceDatabase(announcing);
  try {
    await announce({ database, baseUrl }, announcing);
  } finally {
    await database.close();
  }
}
