import { type Clock, systemClock } from '../../server/lib/clock.ts';

/**
 * A clock on which time passes `times` as fast, for a service that waits between its tries while a
 * test waits for what comes of them. Nothing may depend on how long that takes.
 */
export function hurriedClock(times: number): Clock {
  const start = systemClock.now();
  const startMonotonic = systemClock.monotonic();
  const passed = () => (systemClock.monotonic() - startMonotonic) * times;
  return {
    now: () => Math.round(start + passed()),
    monotonic: passed,
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}
