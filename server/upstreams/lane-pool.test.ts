import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { LanePool } from './lane-pool.ts';

const limits = { concurrencyMax: 1, queueMax: 0, queueWaitMs: 1_000 };

it('gives each upstream one lane', () => {
  const lanes = new LanePool(new ManualClock());
  const lane = lanes.of({ id: 'up_1', revision: '1', limits });
  expect(lanes.of({ id: 'up_1', revision: '1', limits })).toBe(lane);
  expect(lanes.of({ id: 'up_2', revision: '1', limits })).not.toBe(lane);
});

it('begins anew with a changed configuration', () => {
  const lanes = new LanePool(new ManualClock());
  const before = lanes.of({ id: 'up_1', revision: '1', limits });
  before.tryEnter();
  expect(lanes.of({ id: 'up_1', revision: '2', limits }).state.running).toBe(0);
});

it('keeps what it knows when a request still goes by the configuration before', () => {
  const lanes = new LanePool(new ManualClock());
  lanes.of({ id: 'up_1', revision: '1', limits });
  const lane = lanes.of({ id: 'up_1', revision: '2', limits });
  lane.tryEnter();
  lanes.of({ id: 'up_1', revision: '1', limits });
  expect(lanes.of({ id: 'up_1', revision: '2', limits }).tryEnter()).toBeNull();
});
