import type { Db } from '../../../db/db.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { AdapterPool } from '../../../upstreams/adapter-pool.ts';
import type { LanePool } from '../../../upstreams/lane-pool.ts';
import type { MakeInput } from '../attempts/make-picture.ts';
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
  /** Has it written down, soon and without waiting, that a request's answer was handed over. */
  noteDelivered: (traceId: string) => void;
  /**
   * Whether the charge of a request still stands; false when another process has returned it. Where this process
   * may have lost its lease since `sinceMs`, the delivery is claimed, so that nobody can return the charge after that.
   *
   * @param sinceMs of the monotonic clock; the charge was not made before
   */
  chargeStands: (traceId: string, sinceMs: number) => Promise<boolean>;
}
