import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { OutgoingError } from '../../lib/outgoing/guarded-http.ts';
import { type Fault, UpstreamError, type UpstreamErrorOptions } from '../upstream.ts';
import { insist, ofTakenJob, UnreadableAnswer } from './insist.ts';

const failed = (fault: Fault, options: UpstreamErrorOptions = {}) =>
  new UpstreamError(fault, 'as the test says', options);
const { signal } = new AbortController();

describe('a question that costs nothing', () => {
  it.each<[string, UpstreamError, number]>([
    ['a broken connection', failed('unavailable', { cause: new OutgoingError('cut', '') }), 4],
    ['a 502', failed('unavailable', { status: 502 }), 4],
    ['a 429', failed('busy', { status: 429 }), 4],
    ['a 504', failed('timeout', { status: 504 }), 4],
    ['a web page', failed('protocol', { status: 200, cause: new UnreadableAnswer('') }), 4],
    ['our own time limit', failed('timeout', { cause: new OutgoingError('slow', '') }), 1],
    ['what the answer says of the job', failed('unavailable', { status: 200 }), 1],
    ['what an adapter says of the job', failed('unavailable'), 1],
    ['a refused credential', failed('auth', { status: 401 }), 1],
  ])('that fails by %s', async (_, error, times) => {
    const clock = new ManualClock();
    let asked = 0;
    const asking = thrownBy(
      insist(
        () => {
          asked++;
          return Promise.reject(error);
        },
        { clock, signal },
      ),
    );
    for (let retry = 1; retry < times; retry++) {
      await clock.untilSleeping();
      clock.advance(1_000);
    }
    expect(await asking).toBe(error);
    expect(asked).toBe(times);
  });

  it.each([
    [500, 1_000],
    [7_000, 7_000],
    [60_000, 10_000],
  ])(
    'is asked again after the pause of %i ms that was asked for, or %i',
    async (retryAfterMs, restMs) => {
      const clock = new ManualClock();
      const answers = [failed('busy', { status: 429, retryAfterMs })];
      const asking = insist(
        async () => {
          const error = answers.shift();
          if (error) throw error;
          return 'done';
        },
        { clock, signal },
      );
      await clock.untilSleeping();
      clock.advance(restMs - 1);
      expect(clock.sleeping).toBe(1);
      clock.advance(1);
      expect(await asking).toBe('done');
    },
  );
});

it.each<[Fault, Fault]>([
  ['unsupported', 'protocol'],
  ['bad_request', 'protocol'],
  ['auth', 'auth'],
  ['busy', 'busy'],
  ['refused', 'refused'],
])('a question about a job that was taken on, which ends in %s, is %s', (fault, known) => {
  expect(ofTakenJob(failed(fault), 'job-1')).toMatchObject({
    fault: known,
    possiblyCharged: true,
    upstreamRequestId: 'job-1',
  });
});
