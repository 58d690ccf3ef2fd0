/** What two processes say to each other of a run that one of them has and the other answers with. */
import type { ServiceError, ServiceErrorOptions } from '../lib/service-error.ts';
import type { Withholding } from './answerable-run.ts';
import type { MadePicture } from './attempt.ts';
import type { RunResult } from './image-run.ts';

/** By which the run is looked for. */
export interface WantedRun {
  apiKeyId: string;
  /** Null for a run whose caller left: what an SDK's retry looks for. */
  idempotencyKey: string | null;
  /** See `fingerprintOf`. */
  fingerprint: string;
}

export interface RunGreeting {
  traceId: string;
}

/** A picture without its bytes, which are asked for piece by piece. */
export interface LentPicture extends Omit<MadePicture, 'image'> {
  encoding: MadePicture['image']['encoding'];
  /** Bytes, as it came. */
  length: number;
}

export type LentOutcome =
  | {
      kind: 'succeeded';
      result: Omit<RunResult, 'pictures'> & { pictures: readonly LentPicture[] };
      /** Whether a caller has it already: nobody will return its charge. */
      isPaid: boolean;
    }
  | {
      kind: 'failed';
      error: Pick<ServiceError, 'code' | 'message'> & { options: ServiceErrorOptions };
    };

export type ToBorrower =
  | { kind: 'outcome'; outcome: LentOutcome }
  /** The answer to `read`. */
  | { kind: 'piece'; bytes: Uint8Array };

export type ToLender =
  /** Wants the bytes of a picture from there on, up to {@link pieceBytesMax}. */
  | { kind: 'read'; picture: number; from: number }
  /** Its charge was found returned. */
  | { kind: 'returned' }
  | { kind: 'offered' }
  | { kind: 'withheld'; why: Withholding }
  | { kind: 'delivered' }
  /** The last that is said. */
  | { kind: 'leave'; finished: boolean };

/** So much is sent at once: whoever connects the two has to copy it, and others wait meanwhile. */
export const pieceBytesMax = 256 * 1024;
