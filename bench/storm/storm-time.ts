import { setTimeout as sleep } from 'node:timers/promises';

const tickMs = 5;

/**
 * The time of a storm: it stands still while no server is up. A machine on which a server takes
 * long to start then sees the same storm, only slower, and not a storm on an empty stage.
 */
export class StormTime {
  readonly #isRunning: () => boolean;
  readonly #startedAt = Date.now();
  readonly #standsStillMsMax: number;
  readonly #timer: NodeJS.Timeout;
  #lastTickAt = Date.now();
  #passedMs = 0;

  /** @param standsStillMsMax altogether, so that the storm ends even if no server comes up */
  constructor(isRunning: () => boolean, standsStillMsMax: number) {
    this.#isRunning = isRunning;
    this.#standsStillMsMax = standsStillMsMax;
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  get passedMs(): number {
    return this.#passedMs;
  }

  async until(atMs: number): Promise<void> {
    while (this.#passedMs < atMs) await sleep(Math.max(tickMs, atMs - this.#passedMs));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = Date.now();
    const stoodStillMs = now - this.#startedAt - this.#passedMs;
    const goesOn = this.#isRunning() || stoodStillMs > this.#standsStillMsMax;
    if (goesOn) this.#passedMs += now - this.#lastTickAt;
    this.#lastTickAt = now;
  }
}
