/** The part of the composition root that makes pictures and answers with them. */
import { answersUnderWayBytesMaxOf, replayBytesMaxOf } from '../config/limits.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/db.ts';
import { claimSurely } from '../flows/money/end-hold.ts';
import type { Lease } from '../flows/money/keep-lease.ts';
import type { RunLimits } from '../flows/requests/image-services.ts';
import { AnswersUnderWay } from '../flows/requests/runs/answers-under-way.ts';
import { ImageRuns } from '../flows/requests/runs/image-runs.ts';
import type { RunServices } from '../flows/requests/runs/run-services.ts';
import { SiblingRuns } from '../flows/requests/siblings/sibling-runs.ts';
import { retireKeySoon } from '../flows/upstreams/retire-key.ts';
import { deliveryLimitMs } from '../http/v1/cut-unread-answer.ts';
import type { ImageRouteDeps } from '../http/v1/image-route.ts';
import type { ReadDeps } from '../http/v1/read-image-request.ts';
import type { ByteBudget } from '../lib/bytes/byte-budget.ts';
import type { Calls } from '../lib/calls.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { createSafeFetch } from '../lib/outgoing/safe-fetch.ts';
import type { AdapterPool } from '../upstreams/adapter-pool.ts';
import type { LanePool } from '../upstreams/lane-pool.ts';
import type { Memory } from './memory.ts';
import type { Telemetry } from './telemetry.ts';
import { noteRefusal, type Writers } from './writers.ts';

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
  siblings?: { calls: Calls };
}

interface Parts {
  memory: Memory;
  adapters: AdapterPool;
  lanes: LanePool;
  telemetry: Pick<Telemetry, 'runs'>;
  writers: Writers;
  lease: Lease;
  budget: ByteBudget;
}

export function openImages(database: Database, given: Surroundings & Parts): ImageRouteDeps {
  const { config, clock, log, siblings, memory, adapters, telemetry, writers, lease, budget } =
    given;
  const services = runServices(database, given);
  const runs = createRuns(services, given);
  return {
    log,
    keepAliveMs: config.keepAliveIntervalMs,
    noteRefusal: (refusal) => noteRefusal(refusal, { clock, log, memory, writers }),
    read: createReadDeps(given),
    uploads: { budget, clock, idleMs: config.uploadIdleMs, timeoutMs: config.uploadTimeoutMs },
    deliveryTimeoutMs: config.deliveryTimeoutMs,
    services: {
      catalog: memory.catalog,
      settings: memory.settings,
      db: database,
      clock,
      adapters,
      runs,
      siblings: siblings
        ? new SiblingRuns({ ...services, calls: siblings.calls, runs, budget })
        : null,
      secretBox: memory.secretBox,
      answersUnderWay: new AnswersUnderWay(answersUnderWayBytesMaxOf(config)),
      watch: telemetry.runs,
      processId: lease.processId,
      limits: runLimits(config),
    },
  };
}

function runServices(
  database: Database,
  { config, clock, log, adapters, lanes, telemetry, writers, lease }: Surroundings & Parts,
): RunServices {
  const limitMs = deliveryLimitMs(config.deliveryTimeoutMs);
  return {
    db: database,
    clock,
    log,
    adapters,
    lanes,
    watch: telemetry.runs,
    onDeadKey: ({ upstream }, key, fault) =>
      retireKeySoon({ database, clock, log }, { upstream, key, fault }),
    noteDelivered: (traceId) => writers.deliveries.note(traceId),
    chargeStands: async (traceId, sinceMs) =>
      lease.isCertainSince(sinceMs) || claimSurely(database, clock, { traceId, limitMs }),
  };
}

function createRuns(
  services: RunServices,
  { config, budget }: { config: Config; budget: ByteBudget },
): ImageRuns {
  const held = budget.open(null);
  return new ImageRuns(services, {
    graceMs: config.graceMs,
    replayMs: config.idempotencyReplayMs,
    replayBytesMax: replayBytesMaxOf(config),
    countHeld: (bytes) => held.count(bytes),
  });
}

function createReadDeps({ config, clock }: Surroundings): ReadDeps {
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

function runLimits(config: Config): RunLimits {
  return {
    requestsMax: config.requestsInFlightMax,
    deadlineMs: config.requestDeadlineMs,
    streamDeadlineMs: config.streamDeadlineMs,
    attemptsMax: config.attemptsPerPictureMax,
  };
}
