import type { Db } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { AdapterPool } from '../upstreams/adapter-pool.ts';
import type { LanePool } from '../upstreams/lane-pool.ts';
import type { MakeInput } from './make-picture.ts';
import type { RunWatch } from './run-watch.ts';

/** What an image request needs of the rest of the service while it runs. */
export interface RunServices {
  db: Db;
  clock: Clock;
  adapters: AdapterPool;
  lanes: LanePool;
  log: Logger;
  watch: RunWatch;
  /** See `MakeInput`. */
  onDeadKey: MakeInput['onDeadKey'];
  /** Notes, soon, that a request's answer was handed over. */
  noteDelivered: (traceId: string) => void;
  /**
   * Whether a charge that this process made since then still stands: false when a sweep has returned it. In
   * doubt it claims the delivery, so that it goes on standing.
   */
  chargeStands: (traceId: string, sinceMonotonic: number) => Promise<boolean>;
}
