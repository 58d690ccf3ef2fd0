/**
 * A program of its own, one process of the service as far as the ledger sees it: callers that admit,
 * settle and note the delivery, one request after the other.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Database } from '../../server/db/db.ts';
import { type Admission, admit, settle } from '../../server/flows/money/hold-money.ts';
import { Deliveries } from '../../server/flows/money/note-deliveries.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { makeId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/lib/logger.ts';
import { renewLease } from '../../server/wallets/lease-store.ts';
import { amountFromMicros, zero } from '../../shared/money.ts';
import { ledgerSpender } from '../../test/support/history/filled-ledger.ts';
import { plainWish } from '../../test/support/upstreams/recorded-call.ts';
import { type Location, openLocation } from './bench-databases.ts';

export interface WorkerJob {
  location: Location;
  wallets: number;
  callers: number;
  seconds: number;
}

export interface WorkerResult {
  /** How long each pair took. */
  pairsMs: readonly number[];
  elapsedMs: number;
  /** Processor time of this process. */
  cpuMs: number;
}

const clock = systemClock;
/** Statements are prepared and code is compiled before time is taken. */
const warmUpMs = 500;
const leaseMs = 3_600_000;
const unitPrice = amountFromMicros(40_000);
const processId = makeId('proc', clock.now());

// Written by `run-load.ts`, whose job it is.
const job = JSON.parse(process.argv[2] ?? '') as WorkerJob;
const database = openLocation(job.location);
const deliveries = new Deliveries({ db: database, clock, log: createLogger('error') });
await renewLease(
  database,
  { id: processId, host: 'bench', pid: process.pid, startedAt: clock.now() },
  leaseMs,
);
await spend(database, warmUpMs);
const begun = once(process, 'message');
process.send?.('ready');
await begun;
const result = await measure();
await deliveries.stop();
await database.close();
// The channel keeps the process alive.
process.send?.(result, () => process.disconnect());

async function measure(): Promise<WorkerResult> {
  const startedAt = clock.monotonic();
  const cpuBefore = process.cpuUsage();
  const pairsMs = await spend(database, job.seconds * 1_000);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { pairsMs, elapsedMs: clock.monotonic() - startedAt, cpuMs: (user + system) / 1_000 };
}

async function spend(db: Database, durationMs: number): Promise<number[]> {
  const until = clock.monotonic() + durationMs;
  const pairsMs: number[] = [];
  const call = async () => {
    while (clock.monotonic() < until) {
      const startedAt = clock.monotonic();
      await chargeOne(db);
      pairsMs.push(clock.monotonic() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: job.callers }, call));
  return pairsMs;
}

async function chargeOne(db: Database): Promise<void> {
  const admission = nextAdmission();
  const { kind } = await admit(db, clock, admission);
  if (kind !== 'admitted') throw new Error(`a request was not admitted: ${kind}`);
  const { traceId, size, quality, outputFormat } = admission;
  const charged = await settle(db, clock, {
    traceId,
    userId: admission.userId,
    unitPrice,
    images: 1,
    size,
    quality,
    outputFormat,
    attempts: '[]',
    lowBalance: zero,
  });
  if (!charged) throw new Error('a request was not charged');
  deliveries.note(traceId);
}

function nextAdmission(): Admission {
  return {
    ...ledgerSpender(1 + randomInt(job.wallets)),
    traceId: makeId('tr', clock.now()),
    processId,
    keyZone: 'UTC',
    slotsMax: 1_000,
    model: 'gen-image-2',
    operation: 'generation',
    images: 1,
    unitPrice,
    stream: false,
    size: '1024x1024',
    quality: 'low',
    outputFormat: 'png',
    asked: { ...plainWish, size: '1024x1024', quality: 'low' },
    idempotency: null,
  };
}
