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
  sleep,
};

/**
 * Not the one of `node:timers/promises`, which makes an error with a stack at every abort: most
 * sleeps end so.
 */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, ms);
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  });
}
