import type { Clock } from './clock.ts';

export const awakeLimits = {
  /** Whoever wakes up so late stood still, or had no processor for as long. */
  lateMs: 20,
  /** For reading what came meanwhile, and for what follows from it. */
  catchUpMs: 1_000,
  /** Of a machine so busy that everything comes late, nothing more is to be hoped for. */
  catchUpsMax: 10,
} as const;

/**
 * A sleep for those who wait for somebody else. When a process has stood still, its sleeps end before it reads what came
 * meanwhile, and who came in time would be too late. So a sleep that ends late goes on for a moment, until one does not.
 */
export async function sleepAwake(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { catchUpMs, catchUpsMax, lateMs } = awakeLimits;
  for (let restMs = ms, catchUps = 0; ; restMs = catchUpMs) {
    const dueAt = clock.monotonic() + restMs;
    await clock.sleep(restMs, signal);
    if (clock.monotonic() - dueAt < lateMs || catchUps++ >= catchUpsMax) return;
  }
}
