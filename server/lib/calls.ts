/** A conversation with another process of the service. Both are of one version, so what is said is not checked. */
export interface Call {
  /** Says something to the other side. After the end of the call it is lost. */
  say(said: unknown): void;
  /** Sets the one listener, who hears all that the other side says, also what it said before. */
  hear(listener: (said: unknown) => void): void;
  /** Calls the listener once, when the other side has ended the call or has died; at once when that has happened before. */
  onEnd(listener: () => void): void;
  end(): void;
}

/** A call that another process took, and what that said first. */
export interface TakenCall {
  call: Call;
  greeting: unknown;
}

/** Why there is no call. `nobody`: every process refused it. `unsure`: at least one did not answer. */
export type NotTaken = 'nobody' | 'unsure';

/** Takes a call by answering with a greeting, and what to do with the call then; null refuses it. */
export type TakeCall = (
  question: unknown,
) => Promise<{ greeting: unknown; talk: (call: Call) => void } | null>;

/** Reaches the other processes of one service on this machine. */
export interface Calls {
  /** Asks the other processes one after the other, until one takes the call. */
  ring(question: unknown): Promise<TakenCall | NotTaken>;
  /** Sets who decides about the calls of other processes. */
  onRing(take: TakeCall): void;
}
