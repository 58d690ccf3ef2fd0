/** The composition root: the only file that knows every concrete part. */
import type { FastifyInstance } from 'fastify';
import { openMemory } from './app-memory.ts';
import { addConfiguredAdmin, openSignIn, shownSignIn } from './app-sign-in.ts';
import { createWriters, noteRefusal, type Writers } from './app-writers.ts';
import type { Config } from './config.ts';
import type { Database } from './db/db.ts';
import { migrate } from './db/migrate.ts';
import { type DatabaseOptions, openDatabase } from './db/open.ts';
import { UpstreamChecks } from './flows/check-upstreams.ts';
import { ImageRuns } from './flows/image-runs.ts';
import { Lease } from './flows/keep-lease.ts';
import { ModelPaces } from './flows/model-paces.ts';
import { openNoticeMeans } from './flows/open-notice-means.ts';
import { retireKeySoon } from './flows/retire-key.ts';
import type { ImageServices } from './flows/run-image-request.ts';
import { NoticeSender } from './flows/send-notices.ts';
import { SetUpWatch } from './flows/set-up-installation.ts';
import type { ConsoleOptions } from './http/console/console-deps.ts';
import { listen } from './http/listen.ts';
import { OpenAnswers } from './http/open-answers.ts';
import { openApiDocument } from './http/openapi.ts';
import { createHttpServer } from './http/server.ts';
import type { ImageRouteDeps } from './http/v1/image-route.ts';
import { readConsoleFiles } from './http/web/console-files.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { createSafeFetch } from './lib/safe-fetch.ts';
import { version } from './lib/version.ts';
import { AdapterPool } from './upstreams/adapter-pool.ts';
import { LanePool, type LanePoolEvents } from './upstreams/lane-pool.ts';
import { adapterKinds } from './upstreams/registry.ts';
import { claimDelivery } from './wallets/lease-store.ts';

export interface App {
  database: Database;
  /** Where it listens, without a slash at the end: `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** Finishes running requests within the limit, refuses new ones, ends every hold. */
  stop(): Promise<void>;
}

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
  /** Where the built console is; without it there are no pages. */
  webFolder?: string | null;
}

/** Opens the database, brings it up to date, takes the lease and listens. */
export async function startApp(surroundings: Surroundings): Promise<App> {
  await migrateFirst(surroundings);
  const database = openDatabase(databaseOptions(surroundings));
  try {
    return await startOn(database, surroundings);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** By a connection of its own: a migration may take longer than any answer to a request. */
async function migrateFirst(surroundings: Surroundings): Promise<void> {
  const { answerTimeoutMs: _, ...patient } = databaseOptions(surroundings);
  const database = openDatabase(patient);
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

function databaseOptions({
  config,
  log,
}: Surroundings): DatabaseOptions & { answerTimeoutMs: number } {
  return {
    url: config.databaseUrl,
    dataDir: config.dataDir,
    connectionsMax: config.databaseConnectionsMax,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    answerTimeoutMs: config.databaseConnectTimeoutMs,
    onBackgroundError: (error) => log.warn({ err: error }, 'database connection failed'),
  };
}

async function startOn(database: Database, surroundings: Surroundings): Promise<App> {
  const { config, clock, log } = surroundings;
  const memory = openMemory(database, surroundings);
  const writers = createWriters(database, surroundings);
  const adapters = new AdapterPool(adapterKinds, {
    onBroken: (upstream, reason) => log.error({ upstream, reason }, 'upstream cannot be used'),
    onCloseError: (error) => log.warn({ err: error }, 'upstream did not close'),
  });
  const chargeStands = async (traceId: string) =>
    lease.isCertain() || database.transaction((trx) => claimDelivery(trx, traceId, clock.now()));
  const lanes = new LanePool(clock, laneNotes(log));
  const runs = createRuns({ ...surroundings, database, adapters, lanes, writers, chargeStands });
  const renewals = openForRenewals(database, surroundings);
  const lease: Lease = new Lease({
    db: database,
    renewals,
    clock,
    log,
    leaseMs: config.leaseMs,
    renewMs: config.leaseRenewMs,
    isKnown: (traceId) => runs.knows(traceId) || writers.deliveries.has(traceId),
  });
  const notices = new NoticeSender({
    db: database,
    log,
    settings: memory.settings,
    means: openNoticeMeans(config, clock),
  });
  const checks = new UpstreamChecks({
    ...surroundings,
    database,
    access: { kinds: adapterKinds, secretBox: memory.secretBox },
    everyMs: config.upstreamCheckMs,
  });
  const images: ImageRouteDeps = {
    log,
    keepAliveMs: config.keepAliveIntervalMs,
    noteRefusal: (refusal) => noteRefusal(refusal, { ...surroundings, memory, writers }),
    read: createReadDeps(surroundings),
    services: {
      catalog: memory.catalog,
      settings: memory.settings,
      db: database,
      clock,
      adapters,
      runs,
      processId: lease.processId,
      limits: runLimits(config),
    },
  };
  const signIn = openSignIn({ ...surroundings, secretBox: memory.secretBox });
  const setUp = new SetUpWatch(database);
  const server = createHttpServer({
    ...surroundings,
    ...images,
    keys: memory.keys,
    noteKeyUse: (apiKeyId) => writers.keyUses.note(apiKeyId),
    trustedProxies: config.trustedProxies,
    isStopping: () => runs.closed,
    isSetUp: () => setUp.isSetUp(),
    isReady: async () => !runs.closed && (await answers(database)),
    openapi: openApiDocument,
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
      ...signIn,
      options: consoleOptions(config),
    },
  });
  const openAnswers = new OpenAnswers(server.server);
  const closeParts = async () => {
    await Promise.all([
      writers.deliveries.stop(),
      writers.refusals.flush(),
      writers.keyUses.flush(),
    ]);
    await Promise.all([lease.stop(), notices.stop(), checks.stop()]);
    await adapters.close();
    await signIn.issuer?.close();
    for (const cache of [memory.keys, memory.catalog, memory.settings]) cache.close();
    if (renewals !== database) await renewals.close();
  };
  try {
    await lease.start();
    await addConfiguredAdmin({ ...surroundings, ...signIn, database });
    // What of it cannot be used is told now, not with the first request.
    await memory.catalog.current();
    notices.start();
    checks.start();
    const baseUrl = await listen(server, config);
    const stop = async () => {
      await stopServing({ server, openAnswers, runs }, surroundings);
      await closeParts();
      await database.close();
    };
    return { database, baseUrl, stop };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

/** SQLite has one writer; on PostgreSQL, requests that wait for a connection must not hold up the lease. */
function openForRenewals(database: Database, surroundings: Surroundings): Database {
  if (database.engine === 'sqlite') return database;
  return openDatabase({ ...databaseOptions(surroundings), connectionsMax: 1 });
}

function createRuns({
  database,
  config,
  clock,
  log,
  adapters,
  lanes,
  writers,
  chargeStands,
}: Surroundings & {
  database: Database;
  adapters: AdapterPool;
  lanes: LanePool;
  writers: Writers;
  chargeStands: (traceId: string) => Promise<boolean>;
}): ImageRuns {
  return new ImageRuns(
    {
      db: database,
      clock,
      log,
      adapters,
      lanes,
      onDeadKey: ({ upstream }, key, fault) =>
        retireKeySoon({ database, clock, log }, { upstream, key, fault }),
      noteDelivered: (traceId) => writers.deliveries.note(traceId),
      chargeStands,
    },
    {
      graceMs: config.graceMs,
      replayMs: config.idempotencyReplayMs,
      replayBytesMax: config.idempotencyReplayBytesMax,
    },
  );
}

/** What an operator wants to see who asks why an upstream gets no calls. */
function laneNotes(log: Logger): LanePoolEvents {
  return {
    onBreaker: (upstream, breaker) => {
      if (breaker === 'open') log.warn({ upstream, breaker }, 'upstream is left alone for a while');
      else if (breaker === 'half_open') log.info({ upstream, breaker }, 'upstream is tried again');
      else log.info({ upstream, breaker }, 'upstream works again');
    },
    onRest: (upstream, { keyName, fault, restMs }) =>
      log.info({ upstream, key: keyName, fault, rest_ms: restMs }, 'upstream key rests'),
  };
}

function createReadDeps({ config, clock }: Surroundings) {
  const { fetchImage } = createSafeFetch({
    clock,
    allowedPrivate: config.imageFetchPrivateHosts,
  });
  return {
    fetchImage,
    fetchTimeoutMs: config.imageFetchTimeoutMs,
    limits: {
      generationBytesMax: config.generationBodyBytesMax,
      editBytesMax: config.editBodyBytesMax,
    },
  };
}

function runLimits(config: Config): ImageServices['limits'] {
  return {
    requestsMax: config.requestsInFlightMax,
    deadlineMs: config.requestDeadlineMs,
    streamDeadlineMs: config.streamDeadlineMs,
    attemptsMax: config.attemptsPerPictureMax,
  };
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

interface Serving {
  server: FastifyInstance;
  openAnswers: OpenAnswers;
  runs: ImageRuns;
}

/**
 * New requests get a 503 while the running ones finish; what takes too long is ended uncharged.
 * What was charged and not taken is returned, for nobody can come back for it.
 */
async function stopServing(
  { server, openAnswers, runs }: Serving,
  { clock, config, log }: Surroundings,
): Promise<void> {
  runs.close();
  const limit = new AbortController();
  const late = clock.sleep(config.shutdownLimitMs, limit.signal).then(
    () => true,
    () => false,
  );
  const drained = runs.drained().then(() => false);
  if (await Promise.race([late, drained])) {
    log.warn({ running: runs.size }, 'ending requests that did not finish in time');
    await runs.interruptAll();
  }
  await Promise.race([late, openAnswers.sent()]);
  const closed = server.close().then(() => false);
  // Clients that do not take their answers do not keep the service from stopping.
  if (await Promise.race([late, closed])) server.server.closeAllConnections();
  await closed;
  limit.abort();
  await runs.finish();
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
