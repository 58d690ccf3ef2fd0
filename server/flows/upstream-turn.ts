import type { CatalogKey, Route } from '../catalog/catalog.ts';
import type { Clock } from '../lib/clock.ts';
import type { Leave, Skip, UpstreamLane } from '../upstreams/lane.ts';
import type { LanePool } from '../upstreams/lane-pool.ts';

/** Permission to call an upstream once. */
export interface Turn {
  /** Its place among the candidates. */
  candidate: number;
  route: Route;
  key: CatalogKey | null;
  lane: UpstreamLane;
  leave: Leave;
}

interface TurnInput {
  /** Candidates in order. */
  routes: readonly Route[];
  lanes: LanePool;
  clock: Clock;
  signal: AbortSignal;
}

interface TurnSearch {
  /** The first candidate to look at. */
  from: number;
  /** Keys that already failed for this picture. */
  tried: ReadonlySet<string>;
  onSkipped: (route: Route, skip: Skip) => void;
}

/** How long a picture waits for an upstream that asked for a pause, when there is no other. */
const coolingMsMax = 5_000;

/**
 * The first candidate that may be called now. Where all are full, the first that becomes free within
 * its queue's time; where all asked for a pause, the one whose pause is shortest, if it is short.
 * Null when there is none, or when nobody wants the picture any more.
 */
export async function findTurn(input: TurnInput, search: TurnSearch): Promise<Turn | null> {
  const candidates = input.routes
    .map((route, candidate) => ({ route, candidate, lane: input.lanes.of(route.upstream) }))
    .slice(search.from);
  const full: Candidate[] = [];
  const cooling: Candidate[] = [];
  for (const candidate of candidates) {
    const key = candidate.lane.pickKey(candidate.route.upstream.keys, search.tried);
    if (key === 'cooling_down') {
      search.onSkipped(candidate.route, key);
      cooling.push(candidate);
      continue;
    }
    const leave = candidate.lane.tryEnter();
    if (leave) return { ...candidate, key, leave };
    full.push(candidate);
  }
  return (await waitInQueue(full, input, search)) ?? (await waitForRest(cooling, input, search));
}

interface Candidate {
  route: Route;
  candidate: number;
  lane: UpstreamLane;
}

async function waitInQueue(
  full: readonly Candidate[],
  { signal }: TurnInput,
  { tried, onSkipped }: TurnSearch,
): Promise<Turn | null> {
  for (const candidate of full) {
    const entered = await unlessAborted(candidate.lane.enter(signal), signal);
    if (entered === null) return null;
    if (typeof entered === 'string') {
      onSkipped(candidate.route, entered);
      continue;
    }
    const key = candidate.lane.pickKey(candidate.route.upstream.keys, tried);
    if (key !== 'cooling_down') return { ...candidate, key, leave: entered };
    entered();
    onSkipped(candidate.route, 'cooling_down');
  }
  return null;
}

async function waitForRest(
  cooling: readonly Candidate[],
  { clock, signal }: TurnInput,
  { tried }: TurnSearch,
): Promise<Turn | null> {
  for (const candidate of cooling) {
    const { keys } = candidate.route.upstream;
    const restMs = candidate.lane.restMs(keys);
    if (restMs > coolingMsMax) continue;
    if (
      (await unlessAborted(
        clock.sleep(restMs, signal).then(() => true),
        signal,
      )) === null
    ) {
      return null;
    }
    const key = candidate.lane.pickKey(keys, tried);
    const leave = key === 'cooling_down' ? null : candidate.lane.tryEnter();
    if (key !== 'cooling_down' && leave) return { ...candidate, key, leave };
  }
  return null;
}

/** Null when the signal put an end to it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
