import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.ts';
import { ServiceError } from '../lib/service-error.ts';
import { visitorNetwork } from './try-limit.ts';

export const questionLimits = {
  /** From one network address: many people may share it. */
  atOnceMax: 60,
  /** After it, one more may be asked. */
  refillMs: 1_000,
  /** Beyond it, whoever asked the longest ago is forgotten. */
  networksMax: 10_000,
} as const;

/**
 * How often somebody who is not signed in may be asked something, each of which is stored until it
 * is answered. In memory, because what it guards is the writing itself; so each process counts for
 * itself, and each of several workers has its part.
 */
export class QuestionLimit {
  readonly #clock: Clock;
  readonly #atOnceMax: number;
  readonly #refillMs: number;
  /** By network, when nothing will be left of what it took. */
  readonly #freeAt = new LRUCache<string, number>({ max: questionLimits.networksMax });

  /** @param workers processes that the visitors of this machine come to in turn */
  constructor(clock: Clock, workers = 1) {
    this.#clock = clock;
    this.#atOnceMax = Math.max(1, Math.floor(questionLimits.atOnceMax / workers));
    this.#refillMs = questionLimits.refillMs * workers;
  }

  /** Takes one; refused with 429 when none is left, and then nothing is taken. */
  take(networkAddress: string | null): void {
    const atOnceMax = this.#atOnceMax;
    const refillMs = this.#refillMs;
    const network = visitorNetwork(networkAddress);
    const nowMs = this.#clock.monotonic();
    const freeAt = Math.max(this.#freeAt.get(network) ?? nowMs, nowMs) + refillMs;
    const waitMs = freeAt - nowMs - atOnceMax * refillMs;
    if (waitMs > 0) {
      throw new ServiceError('rate_limit', 'Too many tries. Wait a little, then try again.', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    }
    this.#freeAt.set(network, freeAt);
  }
}
