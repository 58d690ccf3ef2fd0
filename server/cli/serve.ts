import type { Config } from '../config.ts';
import { openApp, serveUntilSignal } from './run-app.ts';

/** Runs the service until it is told to stop. */
export async function serve(config: Config): Promise<void> {
  const { app, log } = await openApp(config, 'stdout');
  const stopped = serveUntilSignal(app, () => log.info({}, 'stopping'));
  // Only now: whoever reads it may send the signal at once.
  log.info({ base_url: app.baseUrl, database: app.database.engine }, 'listening');
  await stopped;
  log.info({}, 'stopped');
}
