import type { Clock } from '../lib/clock.ts';
import { type LaneLimits, UpstreamLane } from './lane.ts';

/** Keeps one lane for each upstream in use. */
export class LanePool {
  readonly #clock: Clock;
  readonly #lanes = new Map<string, UpstreamLane>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A changed configuration begins anew: what failed may be mended. Attempts under way end in the old lane. */
  of({ id, revision, limits }: { id: string; revision: string; limits: LaneLimits }): UpstreamLane {
    const known = this.#lanes.get(id);
    if (known?.revision === revision) return known;
    const lane = new UpstreamLane({ clock: this.#clock, limits, revision });
    this.#lanes.set(id, lane);
    return lane;
  }

  /** What this process is doing with an upstream now; null when it never called it. */
  stateOf(upstreamId: string): UpstreamLane['state'] | null {
    return this.#lanes.get(upstreamId)?.state ?? null;
  }
}
