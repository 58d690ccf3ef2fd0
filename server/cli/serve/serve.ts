import type { Config } from '../../config.ts';
import type { Terminal } from '../terminal.ts';
import { announce } from './announce.ts';
import { openApp, serveUntilSignal } from './run-app.ts';

/** Runs the service until it is told to stop. */
export async function serve(config: Config, terminal: Terminal): Promise<void> {
  const { app, log } = await openApp(config, 'stdout');
  const stopped = serveUntilSignal(app, async () => {
    log.info({}, 'stopping');
    // It reads the database, which must not close beneath it when the signal comes early.
    await announced;
  });
  // Only now: whoever reads it may send the signal at once.
  log.info({ base_url: app.baseUrl, database: app.database.engine }, 'listening');
  const announced = announce(app, { config, log, terminal });
  await announced;
  await stopped;
  log.info({}, 'stopped');
}
