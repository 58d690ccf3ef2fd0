/** Hashes passwords with argon2id, a few at a time. */
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { assert } from '../lib/assert.ts';
import { ServiceError } from '../lib/service-error.ts';
import { Turns } from '../lib/turns.ts';

/** The first choice of OWASP's password storage cheat sheet that fits beside the work on pictures. */
const cost = {
  /** KiB. */
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

export const hasherLimits = {
  /** Pictures are worked on by the same four threads. */
  atOnceMax: 2,
  /** Beyond it, a sign-in is told to come back. */
  waitingMax: 100,
  retryAfterSeconds: 5,
} as const;

/** Of a password that nobody has, so that an unknown account takes the time of a known one. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$sAJVEGQa7ScHBr1po/uQdA$DEoilChZ+Y0/ikSzBT8pJ6K6WuoV8wvS7sqLwrAdvKA';

export class PasswordHasher {
  readonly #turns = new Turns(hasherLimits.atOnceMax);

  constructor() {
    assert(!this.isOutdated(nobodysHash), 'the hash for nobody costs what others do');
  }

  /** In argon2's own encoded form, with its salt and cost. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, cost));
  }

  /** @param stored null when there is no such account or password: the answer takes as long */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const isRight = await this.#inTurn(() => verify(stored ?? nobodysHash, password));
    return stored !== null && isRight;
  }

  /** Whether it was made at another cost than new ones are. */
  isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored);
    return (
      memoryCost !== cost.memoryCost ||
      timeCost !== cost.timeCost ||
      parallelism !== cost.parallelism
    );
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { waitingMax, retryAfterSeconds } = hasherLimits;
    if (this.#turns.waiting >= waitingMax) {
      throw new ServiceError('rate_limit', 'Too many people are signing in. Try again.', {
        retryAfterSeconds,
      });
    }
    return await this.#turns.take(work);
  }
}
