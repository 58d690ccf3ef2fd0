/** What happened in the demo's past: the same for the same seed and the same present. */

import type { RecordCode } from '../../../shared/error-codes.ts';
import type { Operation } from '../../../shared/image-options.ts';
import { lastClockChange } from '../../lib/time-text.ts';
import { type Random, randomFor, seedOf } from '../../upstreams/sandbox/seeded-random.ts';
import type { Fault } from '../../upstreams/upstream.ts';
import type { AskedForm } from '../../usage/usage-record.ts';

export const demoZone = 'Europe/Berlin';
const seed = 'a tintype is made while you wait';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const historyDays = 30;
/** Of quieter days on either side of a clock change that is longer ago. */
const changeDays = 2;

export type DemoPerson = 'demo' | 'admin';

export type DemoEnding =
  | { kind: 'succeeded'; delivered: boolean }
  | { kind: 'failed'; code: RecordCode; fault: Fault; status: number | null }
  | { kind: 'canceled' }
  /** Never got as far as a hold. */
  | { kind: 'refused'; code: RecordCode };

export interface DemoRequest {
  who: DemoPerson;
  /** Which of their keys. */
  key: 'web shop' | 'batch';
  startsAt: number;
  /** How long it took. */
  tookMs: number;
  model: string;
  upstreamModel: string;
  operation: Operation;
  images: number;
  stream: boolean;
  asked: AskedForm;
  /** What an upstream did with a first attempt that failed before the one that counts. */
  firstFault: Fault | null;
  ending: DemoEnding;
}

export interface DemoPlan {
  /** Before everything else. */
  opensAt: number;
  /** In the order of their starts. */
  requests: readonly DemoRequest[];
  /** The day that begins the thirty. */
  busySince: number;
}

/** Ends before `nowMs`, so that what is made live is newer than all of it. */
export function planDemo(nowMs: number): DemoPlan {
  const busySince = nowMs - historyDays * dayMs;
  const change = lastClockChange(nowMs, demoZone) ?? busySince;
  const quiet = change < busySince ? daysFrom(change - changeDays * dayMs, 2 * changeDays) : [];
  const busy = daysFrom(busySince, historyDays);
  const requests = [
    ...quiet.flatMap((day) => requestsOf(day, { count: 4, untilMs: nowMs })),
    ...busy.flatMap((day) => requestsOf(day, { count: 26, untilMs: nowMs })),
  ].sort((a, b) => a.startsAt - b.startsAt);
  const opensAt = Math.min(quiet[0] ?? busySince, busySince) - hourMs;
  return { opensAt, requests, busySince };
}

function daysFrom(startMs: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, day) => startMs + day * dayMs);
}

/** No request of the past may still have been running. */
const marginMs = 5 * 60_000;

function requestsOf(
  dayStart: number,
  { count, untilMs }: { count: number; untilMs: number },
): readonly DemoRequest[] {
  // By how long ago it is, so that the same days ago looks the same whenever the demo is started.
  const daysAgo = Math.round((untilMs - dayStart) / dayMs);
  const random = randomFor(seedOf({ seed, daysAgo }), 'requests');
  const isWeekend = daysAgo % 7 < 2;
  const today = Math.round(count * (isWeekend ? 0.4 : 1) * random.between(0.7, 1.3));
  return Array.from({ length: today }, () => requestOf(random, dayStart)).filter(
    ({ startsAt }) => startsAt < untilMs - marginMs,
  );
}

function requestOf(random: Random, dayStart: number): DemoRequest {
  const { model, upstreamModel, tookMs } = random.pick(
    offers.flare,
    offers.flare,
    offers.sunburst,
    offers.sunburst,
    offers.classic,
  );
  const operation = random.chance(0.28) ? 'edit' : 'generation';
  // Two humps a day, of the morning and the afternoon.
  const hour = random.pick(9.5, 15) + (random.next() + random.next() + random.next() - 1.5) * 4;
  const stream = random.chance(0.55);
  const ending = endingOf(random);
  return {
    who: random.chance(0.12) ? 'admin' : 'demo',
    key: random.chance(0.7) ? 'web shop' : 'batch',
    startsAt: Math.floor(dayStart + hour * hourMs),
    tookMs: Math.round(ending.kind === 'refused' ? 0 : tookMs * random.between(0.6, 1.9)),
    model,
    upstreamModel,
    operation,
    images: stream || random.chance(0.85) ? 1 : Math.floor(random.between(2, 5)),
    stream,
    asked: {
      size: random.pick('auto', '1024x1024', '1536x1024', '1024x1536'),
      quality: random.pick('auto', 'low', 'medium', 'high'),
      output_format: random.pick('png', 'png', 'webp', 'jpeg'),
      output_compression: null,
      background: 'auto',
      partial_images: stream ? Math.floor(random.between(0, 4)) : 0,
      reference_images: operation === 'edit' ? Math.floor(random.between(1, 4)) : 0,
      mask: operation === 'edit' && random.chance(0.3),
    },
    firstFault: random.chance(0.05) ? 'busy' : null,
    ending,
  };
}

interface Offer {
  model: string;
  upstreamModel: string;
  tookMs: number;
}

const offers: Readonly<Record<'flare' | 'sunburst' | 'classic', Offer>> = {
  flare: { model: 'gen-image-2.5-flare', upstreamModel: 'sandbox-quick', tookMs: 5_000 },
  sunburst: { model: 'gen-image-2.5-sunburst', upstreamModel: 'sandbox-studio', tookMs: 21_000 },
  classic: { model: 'gen-image-2', upstreamModel: 'sandbox-classic', tookMs: 12_000 },
};

function endingOf(random: Random): DemoEnding {
  const share = random.next();
  if (share < 0.03) {
    const code = 'upstream_error';
    return random.chance(0.5)
      ? { kind: 'failed', code, fault: 'unavailable', status: 503 }
      : { kind: 'failed', code, fault: 'timeout', status: null };
  }
  if (share < 0.04) {
    return { kind: 'failed', code: 'invalid_request_error', fault: 'refused', status: 400 };
  }
  if (share < 0.06) return { kind: 'canceled' };
  if (share < 0.08) return { kind: 'refused', code: 'invalid_request_error' };
  if (share < 0.087) return { kind: 'refused', code: 'rate_limit' };
  return { kind: 'succeeded', delivered: share < 0.995 };
}
