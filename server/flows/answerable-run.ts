import type { RunOutcome } from './image-run.ts';
import type { RunCaller } from './run-caller.ts';

/**
 * A run as far as whoever answers a connection with it must know it: one of this process, or one that
 * another process of the service has.
 */
export interface AnswerableRun {
  readonly traceId: string;
  readonly outcome: Promise<RunOutcome>;
  /** The connection waits for it no longer; `finished` when it was handed the whole answer. */
  detach(caller: RunCaller, finished: boolean): void;
  /**
   * To be asked before the answer is handed over, which in doubt it claims. False when the charge was returned:
   * then it must not be sent. Rejects with a `ServiceError` when nobody can tell.
   */
  mayHandOver(): Promise<boolean>;
  /** The answer was on its way to a caller who left in the middle of it. */
  markOffered(): void;
  /** A caller that is there does not get the answer, by the service's doing. */
  markWithheld(why: Withholding): void;
  /** The answer was handed to a caller's socket. */
  markDelivered(): void;
}

/** The claim of its delivery failed, or the service stopped while the answer was being taken. */
export type Withholding = 'unavailable' | 'interrupted';
