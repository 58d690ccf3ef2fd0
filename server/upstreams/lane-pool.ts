import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.ts';
import type { BreakerState } from './breaker.ts';
import { type KeyRest, type LaneLimits, UpstreamLane } from './lane.ts';
import { OwnPlaces, type PlaceLimits, type Places } from './places.ts';

/** More than anybody has upstreams, even if each has a lane for an earlier configuration as well. */
const lanesMax = 2_000;

/** An upstream as its lane needs it. */
interface LanedUpstream {
  id: string;
  name: string;
  revision: string;
  limits: LaneLimits;
}

export interface LanePoolEvents {
  onBreaker: (upstreamName: string, state: BreakerState) => void;
  onRest: (upstreamName: string, rest: KeyRest) => void;
}

interface NamedLane {
  name: string;
  lane: UpstreamLane;
}

export type LaneState = UpstreamLane['state'] & { upstream: string };

/** Where the places of a lane come from. */
export type OpenPlaces = (laneName: string, limits: PlaceLimits) => Places;

/** Keeps one lane for each upstream in use. */
export class LanePool {
  readonly #clock: Clock;
  readonly #events: LanePoolEvents;
  readonly #openPlaces: OpenPlaces;
  /**
   * By upstream and revision of its configuration. A request keeps to one configuration until its end, so for a while
   * an upstream may have two lanes.
   */
  readonly #lanes = new LRUCache<string, UpstreamLane>({ max: lanesMax });
  /** By the upstream's ID: the lane of the configuration that came last. */
  readonly #newest = new LRUCache<string, NamedLane>({ max: lanesMax });

  /** @param openPlaces for places that are shared with other processes; without it, this process has its own */
  constructor(
    clock: Clock,
    events: LanePoolEvents,
    openPlaces: OpenPlaces = (_laneName, limits) => new OwnPlaces(limits),
  ) {
    this.#clock = clock;
    this.#events = events;
    this.#openPlaces = openPlaces;
  }

  /**
   * The lane of an upstream's present configuration. After a change it is a new one, with a closed breaker and no key at
   * rest, for the change may have mended what failed. Attempts that are under way end in the old lane.
   */
  of({ id, name, revision, limits }: LanedUpstream): UpstreamLane {
    const laneName = `${id} ${revision}`;
    const known = this.#lanes.get(laneName);
    if (known) return known;
    const lane = new UpstreamLane({
      clock: this.#clock,
      queueWaitMs: limits.queueWaitMs,
      places: this.#openPlaces(laneName, limits),
      events: {
        onBreaker: (state) => this.#events.onBreaker(name, state),
        onRest: (rest) => this.#events.onRest(name, rest),
      },
    });
    this.#lanes.set(laneName, lane);
    this.#newest.set(id, { name, lane });
    return lane;
  }

  /** What this process is doing with an upstream now; null when it never called it. */
  stateOf(upstreamId: string): UpstreamLane['state'] | null {
    return this.#newest.peek(upstreamId)?.lane.state ?? null;
  }

  /** The same of every upstream that it called, by name. */
  states(): readonly LaneState[] {
    return [...this.#newest.values()].map(({ name, lane }) => ({ upstream: name, ...lane.state }));
  }
}
