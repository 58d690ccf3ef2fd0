/** The part of the composition root that measures: metrics and traces, each only where asked for. */
import type { CatalogCache } from '../catalog/catalog-cache.ts';
import type { Config } from '../config.ts';
import { readDoneUntil } from '../db/chores.ts';
import type { Database } from '../db/db.ts';
import { embeddedFile } from '../db/open.ts';
import type { Lease } from '../flows/money/keep-lease.ts';
import type { SweepResult } from '../flows/money/sweep-holds.ts';
import type { AnswersUnderWay } from '../flows/requests/runs/answers-under-way.ts';
import type { ImageRuns } from '../flows/requests/runs/image-runs.ts';
import type { RunWatch } from '../flows/requests/runs/run-watch.ts';
import { listen } from '../http/connections/listen.ts';
import { createMetricsServer, type MetricsAccess } from '../http/metrics.ts';
import type { RequestWatch } from '../http/request-watch.ts';
import type { ByteBudget } from '../lib/bytes/byte-budget.ts';
import type { Clock } from '../lib/clock.ts';
import { freeSpaceFor } from '../lib/free-space.ts';
import type { Logger } from '../lib/logger.ts';
import type { MailOutcome } from '../lib/mailer.ts';
import { version } from '../lib/version.ts';
import { type MetricsJson, type OwnMetrics, openMetrics } from '../telemetry/metrics.ts';
import { traceRequests, traceRuns } from '../telemetry/request-spans.ts';
import type { State } from '../telemetry/state-metrics.ts';
import { openTracer } from '../telemetry/tracer.ts';
import { allRequestWatches, allRunWatches } from '../telemetry/watches.ts';
import type { LanePool, LanePoolEvents, LaneState } from '../upstreams/lane-pool.ts';
import { readHoldTotals } from '../wallets/hold-totals-store.ts';

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
  siblings?: { metrics?: SiblingMetrics };
}

/** The metrics of all processes of one service. */
export interface SiblingMetrics {
  /** Which of them this process is. */
  worker: number;
  /** Lets the others ask for this process's. */
  offer: (read: () => Promise<MetricsJson>) => void;
  /** Those of all, its own among them. */
  all: () => Promise<readonly MetricsJson[]>;
}

type ShownState = Omit<State, 'version' | 'clock' | 'runningMax'>;

/** What the metrics show of the parts of a service. */
export function stateOf({
  lanes,
  catalog,
  runs,
  lease,
  budget,
  answersUnderWay,
  isReady,
  database,
  config: { dataDir },
}: {
  lanes: LanePool;
  catalog: CatalogCache;
  runs: ImageRuns;
  lease: Lease;
  budget: ByteBudget;
  answersUnderWay: AnswersUnderWay;
  isReady: () => Promise<boolean>;
  database: Database;
  config: Config;
}): ShownState {
  return {
    lanes: () => lanesInUse(lanes, catalog),
    running: () => runs.size,
    memory: () => ({
      held: budget.used,
      budget: budget.limit,
      waiting: budget.waiting,
      refusedUploads: budget.refusals,
      refusedAnswers: answersUnderWay.refusals,
    }),
    isReady,
    isLeaseCertain: () => lease.isCertain(),
    clockOffsetMs: () => lease.clockOffsetMs(),
    readHolds: () => readHoldTotals(database),
    readPrunedUntilMs: () => readDoneUntil(database, 'forget_ended'),
    readDiskFree: async () =>
      database.engine === 'sqlite' ? freeSpaceFor(embeddedFile(dataDir)) : null,
  };
}

/**
 * Of the upstreams that are enabled, or still at work: one that was disabled because it failed is no
 * trouble any more. Of all, where the catalog cannot be read.
 */
async function lanesInUse(lanes: LanePool, catalog: CatalogCache): Promise<readonly LaneState[]> {
  const current = await catalog.current().catch(() => null);
  const enabled = current && new Set(current.upstreams.map(({ name }) => name));
  return lanes
    .states()
    .filter(
      ({ upstream, running, waiting }) => enabled?.has(upstream) !== false || running + waiting > 0,
    );
}

export interface Telemetry {
  requests: RequestWatch;
  runs: RunWatch;
  onSwept: (result: SweepResult) => void;
  onMail: (outcome: MailOutcome) => void;
  lanes: LanePoolEvents;
  /** `/metrics` of the main port; null where it is not there. */
  onMainPort: MetricsAccess | null;
  /** Shows what there is to look at, and listens where metrics have a port: says where. */
  start: (state: ShownState) => Promise<string | null>;
  stop: () => Promise<void>;
}

export async function openTelemetry(surroundings: Surroundings): Promise<Telemetry> {
  const { config, clock, log, siblings } = surroundings;
  const { metricsPort, metricsAddress, metricsSecret } = config;
  const hasMetrics = metricsPort !== null || metricsSecret !== null;
  const metrics = hasMetrics ? await openMetrics(siblings?.metrics?.worker) : null;
  const tracer = await openTracerIfAsked(surroundings);
  if (metrics) siblings?.metrics?.offer(metrics.json);
  const access =
    metrics && accessTo(metrics, { secret: metricsSecret, siblings: siblings?.metrics });
  const server = access && metricsPort !== null ? createMetricsServer(access, clock) : null;
  return {
    requests: allRequestWatches(log, [
      ...(metrics ? [metrics.requests] : []),
      ...(tracer ? [traceRequests(tracer)] : []),
    ]),
    runs: allRunWatches(log, [
      ...(metrics ? [metrics.runs] : []),
      ...(tracer ? [traceRuns(tracer)] : []),
    ]),
    onSwept: (result) => metrics?.onSwept(result),
    onMail: (outcome) => metrics?.onMail(outcome),
    lanes: laneNotes(log, metrics),
    onMainPort: metricsPort === null ? access : null,
    start: async (state) => {
      metrics?.show({ ...state, version, clock, runningMax: config.requestsInFlightMax });
      if (!server || metricsPort === null) return null;
      const place = { host: metricsAddress, port: metricsPort };
      const names = { host: 'TINTYPE_METRICS_ADDRESS', port: 'TINTYPE_METRICS_PORT' };
      const baseUrl = await listen(server, place, names);
      log.info({ base_url: baseUrl }, 'metrics are served');
      return baseUrl;
    },
    stop: async () => {
      await Promise.all([server?.close(), tracer?.stop()]);
    },
  };
}

/** What an operator wants to see who asks why an upstream gets no calls. */
function laneNotes(log: Logger, metrics: OwnMetrics | null): LanePoolEvents {
  return {
    onBreaker: (upstream, breaker) => {
      metrics?.onBreaker(upstream, breaker);
      if (breaker === 'open') log.warn({ upstream, breaker }, 'upstream is left alone for a while');
      else if (breaker === 'half_open') log.info({ upstream, breaker }, 'upstream is tried again');
      else log.info({ upstream, breaker }, 'upstream works again');
    },
    onRest: (upstream, { keyName, fault, restMs }) =>
      log.info({ upstream, key: keyName, fault, rest_ms: restMs }, 'upstream key rests'),
  };
}

function accessTo(
  metrics: OwnMetrics,
  { secret, siblings }: { secret: string | null; siblings: SiblingMetrics | undefined },
): MetricsAccess {
  const read = siblings ? async () => metrics.sum(await siblings.all()) : metrics.text;
  return { secret, read };
}

async function openTracerIfAsked({ config, log }: Surroundings) {
  if (config.tracesEndpoint === null) return null;
  return openTracer({
    endpoint: config.tracesEndpoint,
    headers: config.tracesHeaders ?? [],
    serviceName: config.tracesServiceName,
    version,
    keptPercent: config.tracesKeptPercent,
    log,
  });
}
