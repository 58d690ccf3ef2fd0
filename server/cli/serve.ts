import { servedModels } from '../catalog/catalog.ts';
import { readCatalogRecords } from '../catalog/catalog-cache.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/db.ts';
import type { Logger } from '../lib/logger.ts';
import { openApp, serveUntilSignal } from './run-app.ts';

/** Runs the service until it is told to stop. */
export async function serve(config: Config): Promise<void> {
  const { app, log } = await openApp(config, 'stdout');
  const stopped = serveUntilSignal(app, () => log.info({}, 'stopping'));
  // Only now: whoever reads it may send the signal at once.
  log.info({ base_url: app.baseUrl, database: app.database.engine }, 'listening');
  await warnIfNothingCanBeMade(app.database, log);
  await stopped;
  log.info({}, 'stopped');
}

/** A new installation answers every request with 503 until a model is set up; better to say so. */
async function warnIfNothingCanBeMade(database: Database, log: Logger): Promise<void> {
  const records = await readCatalogRecords(database);
  const served = servedModels(records);
  const usable = records.models.some(
    ({ id, enabled, price }) => enabled && price !== null && served.has(id),
  );
  if (!usable) log.warn({}, 'no model can be used yet: see tintype models list');
}
