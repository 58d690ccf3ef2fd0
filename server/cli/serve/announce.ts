import { secretLink } from '../../../shared/console/links.ts';
import type { App } from '../../app.ts';
import { servedModels } from '../../catalog/catalog.ts';
import { readCatalogRecords } from '../../catalog/catalog-cache.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/db.ts';
import { issueSetupLink } from '../../flows/installation/set-up-installation.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { localAddress } from '../local-address.ts';
import type { Terminal } from '../terminal.ts';

type Running = Pick<App, 'database' | 'baseUrl'>;

export interface Announcing {
  config: Config;
  log: Logger;
  terminal: Terminal;
}

/**
 * Tells the operator of an installation that cannot serve yet, or gives money away. A service that cannot find out
 * serves all the same.
 */
export async function announce(app: Running, announcing: Announcing): Promise<void> {
  warnOfTestPayments(announcing);
  try {
    await tellWhatLacks(app, announcing);
  } catch (error) {
    announcing.log.error({ err: error }, 'could not find out what is not set up yet');
  }
}

async function tellWhatLacks(app: Running, { config, log, terminal }: Announcing): Promise<void> {
  const setupLink = await makeSetupLink(app, config);
  if (setupLink !== null) {
    log.warn({}, 'not set up yet: the setup link is on standard error');
    // Not a log line: logs are kept, and this opens the installation to whoever has it.
    terminal.err(setupBlock(setupLink, app, config));
  }
  await warnIfNothingCanBeMade(app.database, log);
}

/** Null once somebody has an account. */
async function makeSetupLink(
  { database, baseUrl }: Running,
  config: Config,
): Promise<string | null> {
  const secret = await issueSetupLink({ database, clock: systemClock });
  if (secret === null) return null;
  const root = (config.publicUrl ?? localAddress(baseUrl)).replace(/\/$/, '');
  return root + secretLink('setup', secret);
}

function setupBlock(link: string, { baseUrl }: Running, config: Config): string {
  const { databaseUrl, dataDir, publicUrl } = config;
  const local = localAddress(baseUrl);
  const elsewhere =
    publicUrl === null && local !== baseUrl
      ? `  From another machine, put its address in the place of ${new URL(local).hostname}.\n`
      : '';
  return `
  Tintype is running. Set it up here, within 24 hours:

    ${link}

${elsewhere}  The link works once; another is printed at each start until then.
  Data: ${databaseUrl === null ? dataDir : 'PostgreSQL (DATABASE_URL)'}

`;
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

/** By Stripe's test keys anybody pays with a card whose number stands in Stripe's documentation. */
function warnOfTestPayments({ config, log }: Announcing): void {
  if (!/^[a-z]+_test_/.test(config.stripeSecretKey ?? '')) return;
  log.warn({}, 'Stripe is in test mode: payments that move no money are credited like others');
}
