import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.ts';
import { type LaneLimits, UpstreamLane } from './lane.ts';

/** More upstreams than anybody has, each with a configuration before its present one. */
const lanesMax = 2_000;

/** Keeps one lane for each upstream in use. */
export class LanePool {
  readonly #clock: Clock;
  /** A request goes by one configuration to its end, so for a while there may be two of them. */
  readonly #lanes = new LRUCache<string, UpstreamLane>({ max: lanesMax });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A changed configuration begins anew: what failed may be mended. Attempts under way end in the old lane. */
  of({ id, revision, limits }: { id: string; revision: string; limits: LaneLimits }): UpstreamLane {
    const name = `${id} ${revision}`;
    const known = this.#lanes.get(name);
    if (known) return known;
    const lane = new UpstreamLane({ clock: this.#clock, limits });
    this.#lanes.set(name, lane);
    return lane;
  }
}
