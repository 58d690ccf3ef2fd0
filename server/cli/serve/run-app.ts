import { type App, startApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { reachDatabase } from '../open.ts';
import { openLog } from './open-log.ts';
import { prepareConsole } from './prepare-console.ts';

/** Starts the service with the process's own clock and log, and with its console. */
export async function openApp(
  config: Config,
  logTo: 'stdout' | 'stderr',
): Promise<{ app: App; log: Logger }> {
  const webFolder = await prepareConsole();
  const log = openLog(config, logTo);
  await reachDatabase(config);
  const app = await startApp({ config, clock: systemClock, log, webFolder });
  return { app, log };
}

/** Waits for a signal to stop, then stops, once `onStopping` is done. */
export async function serveUntilSignal(
  app: App,
  onStopping: () => void | Promise<void>,
): Promise<void> {
  const stop = async () => {
    await onStopping();
    await app.stop();
  };
  await stopAtSignal({ stop, endAtOnce: () => {} });
}

/**
 * Waits for a signal, then stops; a second signal ends the process at once. SIGHUP comes when a terminal is closed,
 * which `nohup` does not keep from a Node.
 */
export async function stopAtSignal({
  stop,
  endAtOnce,
}: {
  stop: () => Promise<void>;
  endAtOnce: () => void;
}): Promise<void> {
  // A shell, the system and npm may each tell of the same terminal that was closed, also in the moment in which the
  // first of them is heard.
  process.on('SIGHUP', () => {});
  await nextSignal(['SIGINT', 'SIGTERM', 'SIGHUP']);
  const impatient = nextSignal(['SIGINT', 'SIGTERM']).then(() => {
    endAtOnce();
    process.exit(1);
  });
  await Promise.race([stop(), impatient]);
}

function nextSignal(signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
