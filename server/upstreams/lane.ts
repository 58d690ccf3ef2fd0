/**
 * What one process knows of an upstream while it works: how many attempts run and wait, whether its
 * breaker is open, which keys rest. Nothing of it is written down.
 */
import type { Clock } from '../lib/clock.ts';
import { OutgoingError } from '../lib/outgoing/outgoing-error.ts';
import { type BreakerState, UpstreamBreaker, type Verdict } from './breaker.ts';
import type { Leave, PlaceLimits, Places } from './places.ts';
import type { Fault, UpstreamError } from './upstream.ts';

/** Why an upstream was passed over without being called. */
export const skips = ['breaker_open', 'cooling_down', 'queue_full', 'queue_wait'] as const;
export type Skip = (typeof skips)[number];

export interface LaneLimits extends PlaceLimits {
  queueWaitMs: number;
}

/** What identifies a key to a lane. One with another credential, or that was enabled anew, counts as another key. */
interface Key {
  id: string;
  name: string;
  credential: string;
  /** See `CatalogKey`. */
  enabledTimes: number;
}

/** What a lane reports to the log and the metrics. */
export interface LaneEvents {
  onBreaker: (state: BreakerState) => void;
  /** A key begins to rest; without a name, the upstream does, which needs no key. */
  onRest: (rest: KeyRest) => void;
}

export interface KeyRest {
  keyName: string | null;
  fault: Fault;
  restMs: number;
}

/** What came of an attempt. */
interface Outcome {
  /** Null when it made a picture. */
  error: UpstreamError | null;
  /** Whether it was stopped after a short time, because other things had used up most of the request's time. */
  wasCutShort?: boolean;
}

const retryAfterMsMax = 10 * 60_000;
/** How long a key rests that was not accepted. */
export const refusedKeyRestMs = 60_000;
/** A key that was refused so many times in a row, with a rest after each, counts as dead. */
const keyRefusalsMax = 3;

interface LaneOptions {
  clock: Clock;
  /** How long an attempt may wait for a place. */
  queueWaitMs: number;
  places: Places;
  events: LaneEvents;
}

export class UpstreamLane {
  readonly #clock: Clock;
  readonly #breaker: UpstreamBreaker<Outcome>;
  readonly #queueWaitMs: number;
  readonly #places: Places;
  readonly #keys = new Map<string, KeyState>();
  readonly #events: LaneEvents;
  #nextKey = 0;

  constructor({ clock, queueWaitMs, places, events }: LaneOptions) {
    this.#clock = clock;
    this.#queueWaitMs = queueWaitMs;
    this.#places = places;
    this.#events = events;
    this.#breaker = new UpstreamBreaker(verdictOn, events.onBreaker);
  }

  get state() {
    const { running, waiting } = this.#places;
    return { breaker: this.#breaker.state, running, waiting };
  }

  /** Whether the breaker is open: until it lets an attempt through, there is no use in waiting for a place. */
  get isLeftAlone(): boolean {
    return this.#breaker.isOpen;
  }

  /** Takes a place if one is free and nobody waits for it; null otherwise. */
  async tryEnter(): Promise<Leave | null> {
    return this.#places.tryTake();
  }

  /** Waits for a place behind those who wait already. Rejects with the signal's reason. */
  async enter(signal: AbortSignal): Promise<Leave | Skip> {
    const wait = this.#places.take();
    const over = new AbortController();
    const late = this.#clock.sleep(this.#queueWaitMs, AbortSignal.any([signal, over.signal])).then(
      () => null,
      // Called by, or nobody waits any more: which of them, the signal says below.
      () => null,
    );
    const entered = await Promise.race([wait.outcome, late]);
    over.abort();
    if (entered) return entered;
    // It may have been called in the moment in which its time was over.
    const leave = wait.stop();
    if (leave) return leave;
    signal.throwIfAborted();
    return 'queue_wait';
  }

  /** Runs an attempt unless the breaker is open; then null. */
  async attempt<T extends Outcome>(work: () => Promise<T>): Promise<T | null> {
    let outcome: T | null = null;
    await this.#breaker.run(async () => {
      outcome = await work();
      return outcome;
    });
    return outcome;
  }

  /**
   * The key whose turn it is among those that do not rest and were not tried. `null` for an
   * upstream that has no keys, `cooling_down` when none of them may be used now.
   */
  pickKey<K extends Key>(
    keys: readonly K[],
    tried: ReadonlySet<string>,
  ): K | null | 'cooling_down' {
    if (keys.length === 0) return this.#restMs(keyless) > 0 ? 'cooling_down' : null;
    for (let step = 0; step < keys.length; step++) {
      const key = keys[(this.#nextKey + step) % keys.length];
      if (!key || tried.has(key.id) || this.#restMs(key) > 0) continue;
      this.#nextKey = (this.#nextKey + step + 1) % keys.length;
      return key;
    }
    return 'cooling_down';
  }

  /** Until the first of the keys may be used again. */
  restMs(keys: readonly Key[]): number {
    return Math.min(...(keys.length === 0 ? [keyless] : keys).map((key) => this.#restMs(key)));
  }

  /**
   * Remembers how a key did. Answers the fault when it was refused so often in a row that it should
   * be disabled.
   */
  noteKey(key: Key | null, error: UpstreamError | null): 'auth' | 'quota' | null {
    const state = this.#stateOf(key ?? keyless);
    const fault = error?.fault ?? null;
    if (fault === 'busy' && error?.retryAfterMs) {
      this.#rest(key, fault, Math.min(error.retryAfterMs, retryAfterMsMax));
    }
    // Content is declined only to those who are let in.
    if (fault === null || fault === 'refused') state.refusals = 0;
    // Without a key there is nothing to disable, and nothing else to try meanwhile.
    if (key === null || (fault !== 'auth' && fault !== 'quota')) return null;
    // Attempts that ran side by side were refused for one and the same reason.
    const isOneMore = this.#restMs(key) === 0;
    this.#rest(key, fault, refusedKeyRestMs);
    if (!isOneMore) return null;
    state.refusals++;
    if (state.refusals < keyRefusalsMax) return null;
    // Whoever enables it again has found it in order: it is not to die of its next refusal.
    state.refusals = 0;
    return fault;
  }

  #stateOf({ id, credential, enabledTimes }: Key): KeyState {
    const known = this.#keys.get(id);
    if (known?.credential === credential && known.enabledTimes === enabledTimes) return known;
    const state: KeyState = { credential, enabledTimes, restUntilMs: 0, refusals: 0 };
    this.#keys.set(id, state);
    return state;
  }

  #rest(key: Key | null, fault: Fault, ms: number): void {
    const isNew = this.#restMs(key ?? keyless) === 0;
    const state = this.#stateOf(key ?? keyless);
    state.restUntilMs = Math.max(state.restUntilMs, this.#clock.monotonic() + ms);
    // Attempts that ran side by side send it to the same rest.
    if (isNew) this.#events.onRest({ keyName: key?.name ?? null, fault, restMs: ms });
  }

  #restMs(key: Key): number {
    return Math.max(0, this.#stateOf(key).restUntilMs - this.#clock.monotonic());
  }
}

interface KeyState {
  credential: string;
  enabledTimes: number;
  restUntilMs: number;
  /** In a row. */
  refusals: number;
}

/** Stands in for the key of an upstream that has none, so that the upstream itself can rest. */
const keyless: Key = { id: '', name: '', credential: '', enabledTimes: 0 };

/**
 * What an outcome tells of the upstream's health. Only what shows that the service itself is down counts against it:
 * faults that a caller's prompt can cause must not keep other callers out.
 */
function verdictOn({ error, wasCutShort = false }: Outcome): Verdict {
  const fault: Fault | null = error?.fault ?? null;
  const isOurs = error?.cause instanceof OutgoingError && error.cause.isOurs;
  if (wasCutShort || isOurs) return 'unknown';
  if (fault === 'unavailable' || fault === 'timeout') return 'ill';
  return fault === 'canceled' ? 'unknown' : 'well';
}
