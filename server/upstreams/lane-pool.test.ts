import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { LanePool } from './lane-pool.ts';
import { UpstreamError } from './upstream.ts';

const silent = { onBreaker: () => {}, onRest: () => {} };
const limits = { concurrencyMax: 1, queueMax: 0, queueWaitMs: 1_000 };

it('gives each upstream one lane', () => {
  const lanes = new LanePool(new ManualClock(), silent);
  const lane = lanes.of({ id: 'up_1', name: 'studio', revision: '1', limits });
  expect(lanes.of({ id: 'up_1', name: 'studio', revision: '1', limits })).toBe(lane);
  expect(lanes.of({ id: 'up_2', name: 'studio', revision: '1', limits })).not.toBe(lane);
});

it('begins anew with a changed configuration', async () => {
  const lanes = new LanePool(new ManualClock(), silent);
  const before = lanes.of({ id: 'up_1', name: 'studio', revision: '1', limits });
  await before.tryEnter();
  expect(lanes.of({ id: 'up_1', name: 'studio', revision: '2', limits }).state.running).toBe(0);
});

it('keeps what it knows when a request still goes by the configuration before', async () => {
  const lanes = new LanePool(new ManualClock(), silent);
  lanes.of({ id: 'up_1', name: 'studio', revision: '1', limits });
  const lane = lanes.of({ id: 'up_1', name: 'studio', revision: '2', limits });
  await lane.tryEnter();
  lanes.of({ id: 'up_1', name: 'studio', revision: '1', limits });
  expect(
    await lanes.of({ id: 'up_1', name: 'studio', revision: '2', limits }).tryEnter(),
  ).toBeNull();
});

it('says of which upstream it tells', async () => {
  const told: string[] = [];
  const lanes = new LanePool(new ManualClock(), {
    onBreaker: (name, state) => told.push(`${name} ${state}`),
    onRest: (name, { restMs }) => told.push(`${name} ${restMs}`),
  });
  const lane = lanes.of({ id: 'up_1', name: 'studio', revision: '1', limits });
  lane.noteKey(null, new UpstreamError('busy', 'as the test says', { retryAfterMs: 2_000 }));
  const error = new UpstreamError('unavailable', 'as the test says');
  for (let i = 0; i < 5; i++) await lane.attempt(async () => ({ error }));
  expect(told).toEqual(['studio 2000', 'studio open']);
});

it('says what it does with each upstream, by the configuration that came last', async () => {
  const lanes = new LanePool(new ManualClock(), silent);
  expect(lanes.stateOf('up_1')).toBeNull();
  await lanes.of({ id: 'up_1', name: 'studio', revision: '1', limits }).tryEnter();
  const running = { breaker: 'closed', running: 1, waiting: 0 };
  expect(lanes.stateOf('up_1')).toEqual(running);
  expect(lanes.states()).toEqual([{ upstream: 'studio', ...running }]);
  lanes.of({ id: 'up_1', name: 'atelier', revision: '2', limits });
  expect(lanes.states()).toEqual([{ upstream: 'atelier', ...running, running: 0 }]);
});
