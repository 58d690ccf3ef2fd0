import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { notConnected } from '../lib/outgoing/outgoing-error.ts';
import { UpstreamLane } from './lane.ts';
import { OwnPlaces } from './places.ts';
import type { UpstreamError } from './upstream.ts';
import { upstreamErrorOf } from './wire/answer-errors.ts';

it.each([
  ['may open no more files', ['EMFILE'], 'EMFILE', 'closed'],
  ['has no more ports', ['EADDRNOTAVAIL'], 'EADDRNOTAVAIL', 'closed'],
  [
    'has no more ports, and no way to the IPv6 address',
    ['ENETUNREACH', 'EADDRNOTAVAIL'],
    'EADDRNOTAVAIL',
    'closed',
  ],
  ['is refused by it', ['ECONNREFUSED'], 'ECONNREFUSED', 'open'],
  // As `localhost` is in a container: its IPv6 address is none there.
  ['has no IPv6, and is refused by it', ['EADDRNOTAVAIL', 'ECONNREFUSED'], 'ECONNREFUSED', 'open'],
  ['has no IPv6, and waits in vain', ['ENETUNREACH', 'ETIMEDOUT'], 'ETIMEDOUT', 'open'],
  ['has no way to any of its addresses', ['ENETUNREACH', 'ENETUNREACH'], 'ENETUNREACH', 'open'],
] as const)(
  'of a machine that %s (%s), it is said: %s; the breaker of the upstream is %s',
  async (_, codes, told, state) => {
    const lane = new UpstreamLane({
      clock: new ManualClock(),
      queueWaitMs: 0,
      places: new OwnPlaces({ concurrencyMax: null, queueMax: 0 }),
      events: { onBreaker: () => {}, onRest: () => {} },
    });
    const failed = notConnected('no connection', connectError(codes));
    // What an adapter makes of it.
    const error = upstreamErrorOf(failed, { wasAnswered: false }) as UpstreamError;
    expect(error).toMatchObject({ fault: 'unavailable', message: `no connection (${told})` });
    for (let i = 0; i < 5; i++) await lane.attempt(async () => ({ error }));
    expect(lane.state.breaker).toBe(state);
  },
);

/** As Node puts it: of a name with several addresses, with what each of them came to. */
function connectError(codes: readonly [string, ...string[]]): Error {
  const errors = codes.map((code) => Object.assign(new Error(), { code }));
  const [first] = errors;
  return errors.length === 1 && first
    ? first
    : Object.assign(new AggregateError(errors), { code: codes[0] });
}
