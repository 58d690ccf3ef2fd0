import type { ServiceError } from '../../../lib/service-error.ts';
import type { Charged } from '../../money/hold-money.ts';
import type { MadePicture } from '../attempts/attempt.ts';
import type { RunCaller } from './run-caller.ts';

/**
 * What answering a connection needs of a run: the run may be one of this process (`ImageRun`) or one that another
 * process of the service has (`BorrowedRun`).
 */
export interface AnswerableRun {
  readonly traceId: string;
  readonly outcome: Promise<RunOutcome>;
  /** The connection no longer waits for the run. `finished`: the whole answer was handed to it. */
  detach(caller: RunCaller, finished: boolean): void;
  /**
   * To be asked right before the answer is handed over. Where another process might have returned the charge, it
   * claims the delivery, so that from then on none can. False: the charge was returned, so the answer must not be
   * sent. Rejects with a `ServiceError` when that cannot be found out.
   */
  mayHandOver(): Promise<boolean>;
  /** The caller left while the answer was being sent to them. */
  markOffered(): void;
  /** The caller is still there and does not get the answer, for a reason that lies with the service. */
  markWithheld(why: Withholding): void;
  /** The whole answer was handed to the operating system. */
  markDelivered(): void;
}

/** `unavailable`: its delivery could not be claimed. `interrupted`: the service stopped while the answer was sent. */
export type Withholding = 'unavailable' | 'interrupted';

export interface RunResult {
  traceId: string;
  /** Unix seconds. */
  created: number;
  pictures: readonly MadePicture[];
  charged: Charged;
}

export type RunOutcome =
  | { kind: 'succeeded'; result: RunResult }
  | { kind: 'failed'; error: ServiceError };
