import type { State } from '../../server/telemetry/state-metrics.ts';
import { zero } from '../../shared/money.ts';
import { ManualClock } from './manual-clock.ts';

/** Of a process that is ready and has nothing to do. */
export const idleState: State = {
  version: '1',
  clock: new ManualClock(),
  lanes: async () => [],
  running: () => 0,
  runningMax: 10,
  memory: () => ({ held: 0, budget: 1, waiting: 0, refusedUploads: 0, refusedAnswers: 0 }),
  isReady: async () => true,
  isLeaseCertain: () => true,
  clockOffsetMs: () => null,
  readHolds: async () => ({ open: 0, undelivered: 0, held: zero, oldestAtMs: null }),
  readDiskFree: async () => null,
  readPrunedUntilMs: async () => null,
};
