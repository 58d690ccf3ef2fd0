import type { Clock } from '../../../lib/clock.ts';
import type { UpstreamLane } from '../../../upstreams/lane.ts';

/** Where the pictures of one request are being made, side by side. */
export class RequestWork {
  readonly #clock: Clock;
  readonly #running = new Map<UpstreamLane, number>();
  readonly #endedAt = new Map<UpstreamLane, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a picture is being made there; the answer is to be called when that is over. */
  begin(lane: UpstreamLane): () => void {
    this.#running.set(lane, this.#runningOn(lane) + 1);
    return () => {
      this.#running.set(lane, this.#runningOn(lane) - 1);
      this.#endedAt.set(lane, this.#clock.monotonic());
    };
  }

  /** Whether one of them was being made there at that time of the clock or later. */
  hasRunSince(lane: UpstreamLane, atMs: number): boolean {
    return (
      this.#runningOn(lane) > 0 || (this.#endedAt.get(lane) ?? Number.NEGATIVE_INFINITY) >= atMs
    );
  }

  #runningOn(lane: UpstreamLane): number {
    return this.#running.get(lane) ?? 0;
  }
}
