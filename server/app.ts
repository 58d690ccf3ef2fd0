/** The composition root: the only file that knows every concrete part. */
import { createBackground } from './app/background.ts';
import { migrateFirst, openForRenewals, openServiceDatabase } from './app/database.ts';
import { openImages } from './app/images.ts';
import { openMemory } from './app/memory.ts';
import { openStripe } from './app/payments.ts';
import { addConfiguredAdmin, openSignIn, shownSignIn } from './app/sign-in.ts';
import { openTelemetry, type SiblingMetrics, stateOf } from './app/telemetry.ts';
import { createWriters } from './app/writers.ts';
import { memoryBudgetOf } from './config/limits.ts';
import type { Config } from './config.ts';
import type { Database } from './db/db.ts';
import { SetUpWatch } from './flows/installation/set-up-installation.ts';
import { Lease } from './flows/money/keep-lease.ts';
import { ModelPaces } from './flows/requests/attempts/model-paces.ts';
import { ClientConnections } from './http/connections/client-connections.ts';
import { listen } from './http/connections/listen.ts';
import { stopServing } from './http/connections/stop-serving.ts';
import type { ConsoleOptions } from './http/console/console-deps.ts';
import { openApiDocument } from './http/openapi.ts';
import { createHttpServer } from './http/server.ts';
import { readConsoleFiles } from './http/web/console-files.ts';
import { ByteBudget } from './lib/bytes/byte-budget.ts';
import type { Calls } from './lib/calls.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { version } from './lib/version.ts';
import { AdapterPool } from './upstreams/adapter-pool.ts';
import { LanePool, type OpenPlaces } from './upstreams/lane-pool.ts';
import { adapterKinds } from './upstreams/registry.ts';

export interface App {
  database: Database;
  /** Where it listens, without a slash at the end: `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** The same of the port for `/metrics`; null without one. */
  metricsUrl: string | null;
  /** What it holds for callers. */
  memoryBudget: ByteBudget;
  /** Finishes running requests within the limit, refuses new ones, ends every hold. */
  stop(): Promise<void>;
}

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
  /** Where the built console is; without it there are no pages. */
  webFolder?: string | null;
  /** What it has in common with the other workers; none where it is the only process. */
  siblings?: Siblings;
}

/** The other processes of one service, as far as one of them must know. */
export interface Siblings {
  /** Whether all of them have been ready. */
  areReady: () => boolean;
  /** Without them, each process shows its own. */
  metrics?: SiblingMetrics;
  /** The places of upstreams, which all of them share. */
  openPlaces: OpenPlaces;
  /** By which they reach each other. */
  calls: Calls;
}

/** Opens the database, brings it up to date, takes the lease and listens. */
export async function startApp(surroundings: Surroundings): Promise<App> {
  // Workers find it migrated by whoever started them.
  if (!surroundings.siblings) await migrateFirst(surroundings);
  const database = openServiceDatabase(surroundings);
  try {
    return await startOn(database, surroundings);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startOn(database: Database, surroundings: Surroundings): Promise<App> {
  const { config, clock, log, siblings } = surroundings;
  const adapters = new AdapterPool(adapterKinds, {
    onBroken: (upstream, reason) => log.error({ upstream, reason }, 'upstream cannot be used'),
    onCloseError: (error) => log.warn({ err: error }, 'upstream did not close'),
  });
  const memory = openMemory(database, { ...surroundings, adapters });
  const budget = new ByteBudget(memoryBudgetOf(config));
  const telemetry = await openTelemetry(surroundings);
  const writers = createWriters(database, surroundings);
  const lanes = new LanePool(clock, telemetry.lanes, siblings?.openPlaces);
  const renewals = openForRenewals(database, surroundings);
  const lease: Lease = new Lease({
    db: database,
    renewals,
    clock,
    log,
    leaseMs: config.leaseMs,
    renewMs: config.leaseRenewMs,
    isKnown: (traceId) => runs.knows(traceId) || writers.deliveries.has(traceId),
    onSwept: telemetry.onSwept,
  });
  const parts = { memory, adapters, lanes, telemetry, writers, lease, budget };
  const images = openImages(database, { ...surroundings, ...parts });
  const { runs, answersUnderWay, processId } = images.services;
  const { onMail } = telemetry;
  const background = createBackground(database, memory, { ...surroundings, processId, onMail });
  const stripe = openStripe(config, clock);
  const signIn = await openSignIn({ ...surroundings, secretBox: memory.secretBox, onMail });
  const setUp = new SetUpWatch(database);
  // A database that reads and does not write, for its disk is full or it is a replica, renews no lease.
  const isReady = async () =>
    !connections.hasLeft &&
    (siblings?.areReady() ?? true) &&
    lease.isCertain() &&
    (await answers(database));
  const server = createHttpServer({
    ...surroundings,
    ...images,
    times: config,
    watch: telemetry.requests,
    metrics: telemetry.onMainPort,
    keys: memory.keys,
    noteKeyUse: (apiKeyId) => writers.keyUses.note(apiKeyId),
    trustedProxies: config.trustedProxies,
    isSetUp: () => setUp.isSetUp(),
    isReady,
    openapi: openApiDocument,
    webhooks: {
      database,
      clock,
      log,
      stripe,
      reportSecret: config.paymentWebhookSecret,
      pace: images.uploads,
    },
    web: surroundings.webFolder ? readConsoleFiles(surroundings.webFolder) : null,
    console: {
      ...surroundings,
      database,
      images,
      catalog: memory.catalog,
      settings: memory.settings,
      paces: new ModelPaces({ ...surroundings, database }),
      upstreamAccess: { kinds: adapterKinds, secretBox: memory.secretBox },
      lanes,
      stripe,
      ...signIn,
      options: consoleOptions(config),
    },
  });
  const connections = new ClientConnections(server.server);
  const closeParts = async () => {
    // First of all, so that what it breaks off can still be noted.
    await stripe?.close();
    await Promise.all([
      writers.deliveries.stop(),
      writers.refused.then(() => writers.refusals.flush()),
      writers.keyUses.flush(),
    ]);
    await Promise.all([lease.stop(), background.stop()]);
    await adapters.close();
    await signIn.issuer?.close();
    for (const cache of [memory.keys, memory.catalog, memory.settings]) cache.close();
    if (renewals !== database) await renewals.close();
    await telemetry.stop();
  };
  try {
    await lease.start();
    await addConfiguredAdmin({ ...surroundings, ...signIn, database });
    // What of it cannot be used is told now, not with the first request.
    await memory.catalog.current();
    background.start();
    const metricsUrl = await telemetry.start(
      stateOf({
        lanes,
        catalog: memory.catalog,
        runs,
        lease,
        budget,
        answersUnderWay,
        isReady,
        database,
        config,
      }),
    );
    const baseUrl = await listen(server, config);
    const stop = async () => {
      const { shutdownDelayMs: delayMs, shutdownLimitMs: limitMs } = config;
      const serving = { server, connections, runs, siblings: images.services.siblings };
      await stopServing(serving, { clock, log, delayMs, limitMs });
      await closeParts();
      await database.close();
    };
    return { database, baseUrl, metricsUrl, memoryBudget: budget, stop };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

function consoleOptions(config: Config): ConsoleOptions {
  return {
    version,
    keyPrefix: config.keyPrefix,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    ...shownSignIn(config),
  };
}

async function answers(database: Database): Promise<boolean> {
  try {
    await database.kysely.selectFrom('revisions').select('topic').limit(1).execute();
    return true;
  } catch {
    // Why it does not answer is in the log of whoever needed it.
    return false;
  }
}
