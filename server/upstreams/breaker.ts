import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhenResult,
  type IBackoffFactory,
  type IHalfOpenAfterBackoffContext,
  noJitterGenerator,
} from 'cockatiel';
import { systemClock } from '../lib/clock.ts';

/** What an outcome says of the upstream: nothing, when the attempt was stopped by us. */
export type Verdict = 'well' | 'ill' | 'unknown';

/** `half_open` from the end of its rest until an attempt has ended that tells how the upstream is. */
export type BreakerState = 'closed' | 'open' | 'half_open';

const failuresMax = 5;
const firstRestMs = 10_000;
const longestRestMs = 5 * 60_000;
/** A rest of which no time is left, wherever the wall clock stands. */
const overAtOnceMs = Number.NEGATIVE_INFINITY;

/**
 * Keeps attempts from an upstream that failed several times in a row. After a rest one attempt goes
 * through; if it fails too, the next rest is longer. If it is stopped by us, the next one goes through.
 */
export class UpstreamBreaker<T> {
  readonly #verdictOn: (outcome: T) => Verdict;
  readonly #policy: CircuitBreakerPolicy;
  /** Of the library's state. */
  #changes = 0;
  #told: BreakerState = 'closed';
  /** When the rest is over that began last, by the monotonic clock: the other may be set back by hours. */
  #restUntilMs = 0;

  constructor(verdictOn: (outcome: T) => Verdict, onChange: (state: BreakerState) => void) {
    this.#verdictOn = verdictOn;
    // What this breaker runs is always of type T.
    const failed = (outcome: unknown) => this.#isFailure(outcome as T);
    this.#policy = circuitBreaker(handleWhenResult(failed), {
      breaker: new ConsecutiveBreaker(failuresMax),
      halfOpenAfter: this.#notingRests(
        new ExponentialBackoff({
          generator: noJitterGenerator,
          initialDelay: firstRestMs,
          maxDelay: longestRestMs,
        }),
      ),
    });
    this.#policy.onStateChange(() => {
      this.#changes++;
      const { state } = this;
      // For the library it opens and is tried again also when an attempt has told nothing.
      if (state === this.#told) return;
      this.#told = state;
      onChange(state);
    });
  }

  /** When its rest is over, it is half open although the library calls it open until the next attempt. */
  get state(): BreakerState {
    const state = nameOf(this.#policy.state);
    return state === 'open' && !this.#isResting ? 'half_open' : state;
  }

  /** From its opening until an attempt is let through, also while nobody comes for it. */
  get isOpen(): boolean {
    return this.#policy.state === CircuitState.Open;
  }

  /** Null, and nothing is run, while the breaker keeps everybody out. */
  async run(work: () => Promise<T>): Promise<T | null> {
    // The one attempt that may tell is under way; the library would make the others wait for it.
    if (this.#policy.state === CircuitState.HalfOpen || this.#isResting) return null;
    try {
      return await this.#policy.execute(async () => {
        const begunAt = this.#changes;
        const outcome = await work();
        // What was begun before a change tells nothing of how the upstream is since then.
        if (this.#changes !== begunAt || this.#tellsNothing(outcome)) throw new Unknown(outcome);
        return outcome;
      });
    } catch (error) {
      if (error instanceof BrokenCircuitError) return null;
      // Only the attempt of this call is thrown to it.
      if (error instanceof Unknown) return error.outcome as T;
      throw error;
    }
  }

  get #isResting(): boolean {
    return this.isOpen && systemClock.monotonic() < this.#restUntilMs;
  }

  /**
   * The library asks for the next rest in the moment in which it begins. It would measure it by the wall clock, and leave
   * an upstream alone until that is again where it was before it was set back. After an attempt that told nothing,
   * none begins, and the next one will be as long as it would have been.
   */
  #notingRests<C extends IHalfOpenAfterBackoffContext>(
    rests: IBackoffFactory<C>,
  ): IBackoffFactory<C> {
    return {
      next: (context) => {
        const { result } = context;
        // What this breaker runs is always of type T.
        if ('value' in result && this.#verdictOn(result.value as T) === 'unknown') {
          return { duration: overAtOnceMs, ...this.#notingRests(rests) };
        }
        const rest = rests.next(context);
        this.#restUntilMs = systemClock.monotonic() + rest.duration;
        return { duration: overAtOnceMs, ...this.#notingRests(rest) };
      },
    };
  }

  #tellsNothing(outcome: T): boolean {
    return this.#policy.state === CircuitState.Closed && this.#verdictOn(outcome) === 'unknown';
  }

  #isFailure(outcome: T): boolean {
    const verdict = this.#verdictOn(outcome);
    // For the library, which would take anything else for a success.
    return verdict === 'ill' || verdict === 'unknown';
  }
}

function nameOf(state: CircuitState): BreakerState {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'half_open' : 'open';
}

/** Thrown past the library, whose count of failures in a row any other result would change. */
class Unknown extends Error {
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super('stopped');
    this.outcome = outcome;
  }
}
