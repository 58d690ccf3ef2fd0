/** A conversation with another process of the same service; both are of one version, so nothing said is checked. */
export interface Call {
  /** What is said after the end is lost. */
  say(said: unknown): void;
  /** The one who hears what the other side says, from its first word on. */
  hear(listener: (said: unknown) => void): void;
  /** Told once, when the other side has ended it or is no more; at once where that was so before. */
  onEnd(listener: () => void): void;
  end(): void;
}

/** A call that was taken, and the first that the other side said. */
export interface TakenCall {
  call: Call;
  greeting: unknown;
}

/** `nobody`: all of them said that they do not take it. `unsure`: one of them said nothing. */
export type NotTaken = 'nobody' | 'unsure';

/** What is said to begin with, and what begins with it; null leaves the call to somebody else. */
export type TakeCall = (
  question: unknown,
) => { greeting: unknown; talk: (call: Call) => void } | null;

/** Reaches the other processes of one service on this machine. */
export interface Calls {
  /** Asks them one after the other, until one of them takes the call. */
  ring(question: unknown): Promise<TakenCall | NotTaken>;
  /** The one who answers when others ring. */
  onRing(take: TakeCall): void;
}
