import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { notConnected } from '../lib/outgoing-error.ts';
import { UpstreamLane } from './lane.ts';
import { OwnPlaces } from './places.ts';
import type { UpstreamError } from './upstream.ts';
import { upstreamErrorOf } from './wire/answer-errors.ts';

it.each([
  ['may open no more files', 'EMFILE', 'closed'],
  ['has no more ports', 'EADDRNOTAVAIL', 'closed'],
  ['is refused by it', 'ECONNREFUSED', 'open'],
] as const)(
  'of a machine that %s (%s), the breaker of an upstream is %s',
  async (_, code, state) => {
    const lane = new UpstreamLane({
      clock: new ManualClock(),
      queueWaitMs: 0,
      places: new OwnPlaces({ concurrencyMax: null, queueMax: 0 }),
      events: { onBreaker: () => {}, onRest: () => {} },
    });
    const failed = notConnected('no connection', Object.assign(new Error(), { code }));
    // What an adapter makes of it.
    const error = upstreamErrorOf(failed, { wasAnswered: false }) as UpstreamError;
    expect(error).toMatchObject({ fault: 'unavailable', message: `no connection (${code})` });
    for (let i = 0; i < 5; i++) await lane.attempt(async () => ({ error }));
    expect(lane.state.breaker).toBe(state);
  },
);
