/** When a worker that died is started again, and when that is given up. */

export const restartLimits = {
  /** One that lived no longer may be about to die again. */
  shortLifeMs: 10_000,
  /** After the first short life; it doubles with each further one. */
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  /** Workers in a row that died before they were ready, while none was serving. */
  failedStartsMax: 5,
} as const;

/** How one worker ended. */
export interface Death {
  wasReady: boolean;
  livedMs: number;
  /** Whether the service goes on by others meanwhile. */
  doOthersServe: boolean;
}

/** Counts the lives of all workers of a service. */
export class Restarts {
  /** By the number of the worker. */
  readonly #shortLives = new Map<number, number>();
  #failedStarts = 0;

  /** A worker is ready, so workers can start. */
  noteReady(): void {
    this.#failedStarts = 0;
  }

  /** How long to wait before another takes its place; null when there is no sense in it any more. */
  noteDeath(number: number, { wasReady, livedMs, doOthersServe }: Death): number | null {
    const { failedStartsMax, firstPauseMs, longestPauseMs, shortLifeMs } = restartLimits;
    if (!wasReady && !doOthersServe && ++this.#failedStarts >= failedStartsMax) return null;
    const shortLives = livedMs < shortLifeMs ? (this.#shortLives.get(number) ?? 0) + 1 : 0;
    this.#shortLives.set(number, shortLives);
    if (shortLives === 0) return 0;
    return Math.min(firstPauseMs * 2 ** (shortLives - 1), longestPauseMs);
  }
}
