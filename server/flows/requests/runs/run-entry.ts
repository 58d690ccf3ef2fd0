import type { Amount } from '../../../../shared/money.ts';
import type { RunOutcome } from './answerable-run.ts';
import type { AnswerPlace } from './answers-under-way.ts';
import type { ImageRun, RunInput } from './image-run.ts';
import type { RunNote } from './run-watch.ts';

export interface StartInput extends Omit<RunInput, 'keyed' | 'onJoined' | 'onAlone'> {
  apiKeyId: string;
  idempotencyKey: string | null;
  /** Runs that this user may have waiting for a caller that left. */
  abandonedMax: number;
  /**
   * Called once, when the run has ended and holds the pictures of its request no longer.
   *
   * @param areRead whether something that was given up may still be reading them
   */
  onPicturesDropped?: (areRead: boolean) => void;
  /** Left when the run ends. */
  place: AnswerPlace;
}

/** A run, and what this process has to know of it. */
export interface RunEntry {
  run: ImageRun;
  place: AnswerPlace;
  note: RunNote;
  /** What was set aside for it. */
  amount: Amount;
  userId: string;
  apiKeyId: string;
  /** API key and Idempotency-Key; null without one. */
  keyName: string | null;
  abandonedMax: number;
  onPicturesDropped: StartInput['onPicturesDropped'];
  /** Of the prompt and the pictures of the request. */
  askedBytes: number;
  /** Of the finished pictures, which are held as long as the entry is there. */
  heldBytes: number;
  /** Null while the run is under way. */
  outcome: RunOutcome | null;
}
