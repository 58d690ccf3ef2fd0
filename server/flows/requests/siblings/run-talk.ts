/** What two processes say to each other of a run that one of them has and the other answers with. */
import type { ServiceError, ServiceErrorOptions } from '../../../lib/service-error.ts';
import type { MadePicture } from '../attempts/attempt.ts';
import type { RunResult, Withholding } from '../runs/answerable-run.ts';

/** What a process asks the others for: the run of such a request. */
export interface WantedRun {
  apiKeyId: string;
  /** Null for a run whose caller left: what an SDK's retry looks for. */
  idempotencyKey: string | null;
  /** See `fingerprintOf`. */
  fingerprint: string;
}

/** What the process that has the run says first. */
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
      /** Whether a caller was given the answer before; then its charge is not returned any more. */
      isPaid: boolean;
    }
  | {
      kind: 'failed';
      error: Pick<ServiceError, 'code' | 'message'> & { options: ServiceErrorOptions };
    };

/** What the process that has the run says to the one that answers with it. */
export type ToBorrower =
  | { kind: 'outcome'; outcome: LentOutcome }
  /** The answer to `read`. */
  | { kind: 'piece'; bytes: Uint8Array };

/** What the process that answers with the run says to the one that has it. */
export type ToLender =
  /** It heard that its call was taken, and waits for the run from now on. */
  | { kind: 'joined' }
  /** Asks for the bytes of a picture from `from` on, up to {@link pieceBytesMax}. */
  | { kind: 'read'; picture: number; from: number }
  /** Its charge was found returned. */
  | { kind: 'returned' }
  | { kind: 'offered' }
  | { kind: 'withheld'; why: Withholding }
  | { kind: 'delivered' }
  /** Nothing is said after it. See `AnswerableRun.detach`. */
  | { kind: 'leave'; finished: boolean };

/** What is sent at once. The supervisor, which connects the two, copies each piece while everybody else waits. */
export const pieceBytesMax = 256 * 1024;
