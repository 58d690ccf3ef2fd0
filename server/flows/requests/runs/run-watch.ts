/**
 * What image requests tell of themselves to whoever measures them. It is told only once something
 * has happened, and nothing waits for what the listener makes of it.
 */
import type { Operation } from '../../../../shared/image-options.ts';
import type { Amount } from '../../../../shared/money.ts';
import type { AdmitOutcome } from '../../money/hold-money.ts';
import type { AttemptRecord } from '../attempts/attempt.ts';

/** What becomes known of a request on its way; its line in the log shows it. */
export interface RunNote {
  operation: Operation | null;
  /** One of the catalog; null until it is found there. */
  model: string | null;
  /** From the first upstream call to the end of the last; null when none was made for this request. */
  upstreamMs: number | null;
  /** Unix milliseconds: when the last upstream had answered, and when the hold had ended. */
  madeAtMs: number | null;
  endedAtMs: number | null;
}

/** The database has said whether a request may begin. */
export interface AdmitTold {
  traceId: string;
  outcome: AdmitOutcome['kind'];
  /** What it asked to set aside. */
  amount: Amount;
  /** Unix milliseconds. */
  begunAtMs: number;
  endedAtMs: number;
}

/** A request has called its last upstream. */
export interface AttemptsTold {
  traceId: string;
  note: RunNote;
  attempts: readonly AttemptRecord[];
}

/** A request's hold has ended, or is left to the sweep. */
export interface EndTold {
  traceId: string;
  note: RunNote;
  /** What was set aside for it. */
  amount: Amount;
  /** What was charged for how many pictures; null when nothing was. */
  charged: { cost: Amount; pictures: number } | null;
}

/** A charge was returned, because nobody took the picture. */
export interface RefundTold {
  traceId: string;
  cost: Amount;
}

export interface RunWatch {
  onAdmit: (told: AdmitTold) => void;
  onAttempts: (told: AttemptsTold) => void;
  onEnd: (told: EndTold) => void;
  onRefund: (told: RefundTold) => void;
}
