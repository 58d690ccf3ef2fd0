/** What the end of a request's time says of the upstream that is at work then. */
import { expect, it } from 'vitest';
import { PictureBench, type Step } from '../../test/support/picture-bench.ts';
import { UpstreamError } from '../upstreams/upstream.ts';

const callsToBreak = 5;
const slow: Step = { takesMs: 60_000 };

it('nothing of one that was called when another had taken a part of that time', async () => {
  const bench = new PictureBench({ a: repeated('timeout'), b: repeated(slow) });
  for (let i = 0; i < callsToBreak; i++) await runOutOfTime(bench);
  expect(bench.attempts.map(({ fault }) => fault)).toEqual(repeated('timeout', 2 * callsToBreak));
  expect(bench.laneNotes).toEqual(['a open']);
});

it('that it is too slow, of one that had all of it', async () => {
  const bench = new PictureBench({ a: repeated(slow) });
  for (let i = 0; i < callsToBreak; i++) await runOutOfTime(bench);
  expect(bench.laneNotes).toEqual(['a open']);
});

async function runOutOfTime(bench: PictureBench): Promise<void> {
  bench.stop = new AbortController();
  const made = bench.make();
  await bench.clock.untilSleeping();
  bench.stop.abort(new UpstreamError('timeout', 'the request took too long'));
  expect(await made).toMatchObject({ kind: 'failed', error: { fault: 'timeout' } });
  bench.clock.advance(60_000);
}

function repeated<T>(step: T, times = callsToBreak): T[] {
  return Array.from({ length: times }, () => step);
}
