import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhenResult,
  noJitterGenerator,
} from 'cockatiel';

/** What an outcome says of the upstream: nothing, when the attempt was stopped by us. */
export type Verdict = 'well' | 'ill' | 'unknown';

export type BreakerState = 'closed' | 'open' | 'half_open';

const failuresMax = 5;
const firstRestMs = 10_000;
const longestRestMs = 5 * 60_000;

/**
 * Keeps attempts from an upstream that failed several times in a row. After a rest one attempt goes
 * through; if it fails too, the next rest is longer.
 */
export class UpstreamBreaker<T> {
  readonly #verdictOn: (outcome: T) => Verdict;
  readonly #policy: CircuitBreakerPolicy;
  /** Of its state. */
  #changes = 0;

  constructor(verdictOn: (outcome: T) => Verdict, onChange: (state: BreakerState) => void) {
    this.#verdictOn = verdictOn;
    // What this breaker runs is always of type T.
    const failed = (outcome: unknown) => this.#isFailure(outcome as T);
    this.#policy = circuitBreaker(handleWhenResult(failed), {
      breaker: new ConsecutiveBreaker(failuresMax),
      halfOpenAfter: new ExponentialBackoff({
        generator: noJitterGenerator,
        initialDelay: firstRestMs,
        maxDelay: longestRestMs,
      }),
    });
    this.#policy.onStateChange((state) => {
      this.#changes++;
      onChange(nameOf(state));
    });
  }

  get state(): BreakerState {
    return nameOf(this.#policy.state);
  }

  /** Null, and nothing is run, while the breaker keeps everybody out. */
  async run(work: () => Promise<T>): Promise<T | null> {
    // The one attempt that may tell is under way; the library would make the others wait for it.
    if (this.#policy.state === CircuitState.HalfOpen) return null;
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

  #tellsNothing(outcome: T): boolean {
    return this.#policy.state === CircuitState.Closed && this.#verdictOn(outcome) === 'unknown';
  }

  #isFailure(outcome: T): boolean {
    const verdict = this.#verdictOn(outcome);
    // A trial that was stopped did not show that the upstream is well again.
    return verdict === 'ill' || verdict === 'unknown';
  }
}

function nameOf(state: CircuitState): BreakerState {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'half_open' : 'open';
}

/** Passes by the library's count of failures in a row, which any other result would change. */
class Unknown extends Error {
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super('stopped');
    this.outcome = outcome;
  }
}
