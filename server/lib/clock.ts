import { setTimeout as sleepFor } from 'node:timers/promises';

/** The only source of time, so that tests can hold and move it. */
export interface Clock {
  /** Wall clock, Unix milliseconds: for records and expiry. */
  now(): number;
  /** Milliseconds from an arbitrary start that never step back: for durations and deadlines. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await sleepFor(ms, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
