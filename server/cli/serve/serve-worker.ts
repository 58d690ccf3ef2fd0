/** The program of a worker process: serves until its supervisor tells it to stop, or is gone. */
import { startApp } from '../../app.ts';
import { joinSupervisor, type Supervised } from '../../cluster/supervised.ts';
import { systemClock } from '../../lib/clock.ts';
import type { MetricsJson } from '../../telemetry/metrics.ts';
import { describeFailure } from '../failure.ts';
import { namingDatabase } from '../open.ts';
import { leaveLog, openLog } from './open-log.ts';
import type { WorkerStart } from './worker-start.ts';

const supervised = joinSupervisor<WorkerStart, MetricsJson>();
// A key pressed at the terminal, and its end, reach every process; the supervisor says what follows from it.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
const terminated = new Promise<void>((resolve) => process.once('SIGTERM', resolve));

try {
  await serveSupervised(supervised, await supervised.start);
} catch (error) {
  await supervised.sayFailed(describeFailure(error));
  process.exitCode = 1;
} finally {
  supervised.leave();
  void leaveLog();
}

async function serveSupervised(
  {
    areReady,
    calls,
    gone,
    openPlaces,
    reports,
    sayReady,
    stopAsked,
  }: Supervised<WorkerStart, MetricsJson>,
  { number, config, webFolder }: WorkerStart,
): Promise<void> {
  const log = openLog(config, 'stdout').child({ worker: number });
  const metrics = { worker: number, ...reports };
  const siblings = { areReady, openPlaces, metrics, calls };
  const starting = namingDatabase(config, () =>
    startApp({ config, clock: systemClock, log, webFolder, siblings }),
  );
  const app = await Promise.race([starting, gone]);
  // Only the supervisor has the port: without it the start, and a worker that nobody can reach, would
  // last for ever. Nothing is under way yet, and whoever starts next ends the lease.
  if (!app) process.exit(1);
  await sayReady(app.baseUrl);
  // Told to stop alone, it finishes what it does, and another takes its place.
  await Promise.race([stopAsked, terminated]);
  await app.stop();
}
