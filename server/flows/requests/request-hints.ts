import type { RunCaller } from './runs/run-caller.ts';
import type { RunNote } from './runs/run-watch.ts';

/** What the connection says of itself. */
export interface RequestHints {
  traceId: string;
  idempotencyKey: string | null;
  /** Whether the client says that it sends this request again. */
  isRetry: boolean;
  /** Whether it asks for the answer of an earlier request alone: where its key stands for none, nothing starts. */
  isRepeatOnly: boolean;
  note: RunNote;
  /** Attached to the run that is answered with, from the moment it is known. */
  runCaller: RunCaller;
  /** Aborts when the connection closes. */
  gone: AbortSignal;
  /** Closes it. */
  cut: () => void;
  /** See `StartInput`; not called for a request whose run was there already, or that is refused. */
  onPicturesDropped?: (areRead: boolean) => void;
}
