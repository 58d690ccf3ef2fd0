/** The requests of the demo's past, through the steps by which live ones are admitted and ended. */

import { type Amount, zero } from '../../../shared/money.ts';
import { noteKeyUses } from '../../accounts/api-key-store.ts';
import type { Trx } from '../../db/db.ts';
import type { UsageRecordRow } from '../../db/schema.ts';
import { admit, release, settle } from '../../flows/money/hold-money.ts';
import { refundOwn } from '../../flows/money/refund-undelivered.ts';
import type { AttemptRecord } from '../../flows/requests/attempts/attempt.ts';
import { must } from '../../lib/assert.ts';
import { makeId } from '../../lib/ids.ts';
import { addRefusedRecords } from '../../usage/record-store.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import type { DemoPerson, DemoRequest } from './demo-plan.ts';
import type { MovedClock } from './moved-clock.ts';

/** Who is there, and what holds at the moment. */
export interface Stage {
  clock: MovedClock;
  persons: Readonly<Record<DemoPerson, Person>>;
  processId: string;
  /** What each model costs. */
  prices: Map<string, Amount>;
  /** Of the requests that were let in. */
  traceIds: Map<DemoRequest, string>;
}

export interface Person {
  userId: string;
  keys: Readonly<Record<DemoRequest['key'], string>>;
}

/** Something that a request does at a moment of the past. */
export interface RequestMoment {
  at: number;
  kind: 'request';
  happen: (trx: Trx) => Promise<unknown>;
}

export function momentsOf(request: DemoRequest, stage: Stage): RequestMoment[] {
  const { startsAt, tookMs, ending } = request;
  if (ending.kind === 'refused') {
    const { code } = ending;
    const happen = (trx: Trx) => refuse(trx, request, stage, code);
    return [{ at: startsAt, kind: 'request', happen }];
  }
  const run: Run = { request, traceId: null, unitPrice: null };
  return [
    { at: startsAt, kind: 'request', happen: (trx) => begin(trx, run, stage) },
    { at: startsAt + tookMs, kind: 'request', happen: (trx) => end(trx, run, stage) },
  ];
}

interface Run {
  request: DemoRequest;
  /** Null when it was refused after all, for want of money. */
  traceId: string | null;
  unitPrice: Amount | null;
}

async function begin(trx: Trx, run: Run, stage: Stage): Promise<void> {
  const { request } = run;
  const { clock, persons, processId, prices, traceIds } = stage;
  const { userId, keys } = persons[request.who];
  const traceId = makeId('tr', clock.now());
  const unitPrice = must(prices.get(request.model), 'the price of a demo model');
  const { size, quality, output_format: outputFormat } = request.asked;
  const apiKeyId = keys[request.key];
  await noteKeyUses(trx, [{ apiKeyId, atMs: clock.now() }]);
  const outcome = await admit(trx, clock, {
    traceId,
    processId,
    userId,
    apiKeyId,
    keyZone: 'UTC',
    slotsMax: 500,
    model: request.model,
    operation: request.operation,
    images: request.images,
    unitPrice,
    stream: request.stream,
    size,
    quality,
    outputFormat,
    asked: request.asked,
    idempotency: null,
  });
  if (outcome.kind !== 'admitted') {
    await refuse(trx, request, stage, 'insufficient_quota');
    return;
  }
  run.traceId = traceId;
  run.unitPrice = unitPrice;
  traceIds.set(request, traceId);
}

async function end(trx: Trx, run: Run, { clock }: Stage): Promise<void> {
  const { request, traceId, unitPrice } = run;
  if (traceId === null || unitPrice === null) return;
  const { ending, images, asked } = request;
  const attempts = JSON.stringify(attemptsOf(request));
  if (ending.kind === 'failed') {
    await release(trx, clock, { traceId, status: 'failed', code: ending.code, attempts });
    return;
  }
  if (ending.kind !== 'succeeded') {
    await release(trx, clock, { traceId, status: 'canceled', code: 'client_gone', attempts });
    return;
  }
  const form = {
    size: asked.size === 'auto' ? '1024x1024' : asked.size,
    quality: asked.quality === 'auto' ? 'medium' : asked.quality,
    outputFormat: asked.output_format,
  };
  const settlement = { traceId, unitPrice, images, ...form, attempts, lowBalance: zero };
  await settle(trx, clock, settlement);
  if (ending.delivered) await markDelivered(trx, [traceId], clock.now());
  else await refundOwn(trx, clock, { traceId, code: 'client_gone' });
}

async function refuse(
  trx: Trx,
  request: DemoRequest,
  { clock, persons }: Stage,
  code: UsageRecordRow['code'],
): Promise<void> {
  const { userId, keys } = persons[request.who];
  const now = clock.now();
  await addRefusedRecords(trx, [
    {
      trace_id: makeId('tr', now),
      user_id: userId,
      api_key_id: keys[request.key],
      model: request.model,
      operation: request.operation,
      status: 'failed',
      code,
      images_requested: request.images,
      images: 0,
      unit_price: 0,
      cost: 0,
      stream: request.stream ? 1 : 0,
      size: request.asked.size,
      quality: request.asked.quality,
      output_format: request.asked.output_format,
      started_at: now,
      ended_at: now,
      attempts: null,
      asked: JSON.stringify(request.asked),
    },
  ]);
}

/** As a run would have written them down. */
function attemptsOf(request: DemoRequest): readonly AttemptRecord[] {
  const { startsAt, tookMs, ending, firstFault, images, upstreamModel } = request;
  const made = Array.from({ length: images }, (_, picture): AttemptRecord[] => {
    const last: AttemptRecord = {
      picture,
      attempt: firstFault === null ? 1 : 2,
      upstream: 'sandbox',
      upstream_model: upstreamModel,
      upstream_key: null,
      started_at: startsAt + 20 + (firstFault === null ? 0 : 400),
      duration_ms: Math.max(1, tookMs - 40 - (firstFault === null ? 0 : 400)),
      fault: null,
      status: null,
      upstream_code: null,
      upstream_param: null,
      upstream_request_id: null,
      possibly_charged: false,
      queued_behind: null,
      skipped: null,
      warnings: [],
    };
    const first: AttemptRecord = {
      ...last,
      attempt: 1,
      started_at: startsAt + 20,
      duration_ms: 40,
      fault: firstFault,
      status: 429,
    };
    const ended = { ...last, ...faultOf(ending) };
    return firstFault === null ? [ended] : [first, ended];
  });
  return made.flat();
}

function faultOf(ending: DemoRequest['ending']): Partial<AttemptRecord> {
  if (ending.kind === 'failed') return { fault: ending.fault, status: ending.status };
  return ending.kind === 'canceled' ? { fault: 'canceled' } : {};
}
