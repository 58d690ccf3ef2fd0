import type { CatalogKey, Route } from '../catalog/catalog.ts';
import type { Clock } from '../lib/clock.ts';
import type { Skip, UpstreamLane } from '../upstreams/lane.ts';
import type { LanePool } from '../upstreams/lane-pool.ts';
import type { Leave } from '../upstreams/places.ts';

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
  /** Candidates that are not to be looked at: they failed this picture. */
  ended: ReadonlySet<number>;
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
  const { turn, resting } = await look(input, search);
  if (turn || !(await waitForRest(resting, input, search))) return turn;
  return (await look(input, search)).turn;
}

async function look(
  input: TurnInput,
  search: TurnSearch,
): Promise<{ turn: Turn | null; resting: readonly Candidate[] }> {
  const full: Candidate[] = [];
  const resting: Candidate[] = [];
  if (input.signal.aborted) return { turn: null, resting };
  for (const candidate of candidatesOf(input, search)) {
    const key = candidate.lane.pickKey(candidate.route.upstream.keys, search.tried);
    if (key === 'cooling_down') {
      search.onSkipped(candidate.route, key);
      resting.push(candidate);
      continue;
    }
    const leave = await candidate.lane.tryEnter();
    if (leave) return { turn: { ...candidate, key, leave }, resting };
    full.push(candidate);
  }
  return { turn: await waitInQueues(full, input, search), resting };
}

interface Candidate {
  route: Route;
  candidate: number;
  lane: UpstreamLane;
}

function candidatesOf({ routes, lanes }: TurnInput, { ended }: TurnSearch): readonly Candidate[] {
  return routes
    .map((route, candidate) => ({ route, candidate, lane: lanes.of(route.upstream) }))
    .filter(({ candidate }) => !ended.has(candidate));
}

/** Stands in all their queues at once, and takes the first place that becomes free. */
async function waitInQueues(
  full: readonly Candidate[],
  input: TurnInput,
  search: TurnSearch,
): Promise<Turn | null> {
  const over = new AbortController();
  const signal = AbortSignal.any([input.signal, over.signal]);
  const waits = full.map((candidate) => waitInQueue(candidate, signal, search));
  let turn: Turn | null = null;
  try {
    turn = await firstTurn(waits);
    return turn;
  } finally {
    over.abort();
    for (const wait of waits) {
      // It may have been called in the same moment.
      wait.then(
        (late) => late !== turn && late?.leave(),
        () => {},
      );
    }
  }
}

async function waitInQueue(
  candidate: Candidate,
  signal: AbortSignal,
  { tried, onSkipped }: TurnSearch,
): Promise<Turn | null> {
  const { lane, route } = candidate;
  const entered = await unlessAborted(lane.enter(signal), signal);
  if (entered === null) return null;
  if (typeof entered === 'string') {
    onSkipped(route, entered);
    return null;
  }
  const key = lane.pickKey(route.upstream.keys, tried);
  if (key !== 'cooling_down') return { ...candidate, key, leave: entered };
  entered();
  onSkipped(route, key);
  return null;
}

/** The first that is not null; null when all are. */
function firstTurn(waits: readonly Promise<Turn | null>[]): Promise<Turn | null> {
  return new Promise((resolve, reject) => {
    for (const wait of waits) {
      wait.then((turn) => {
        if (turn) resolve(turn);
      }, reject);
    }
    Promise.all(waits).then(() => resolve(null), reject);
  });
}

/** Waits until the first of them may be asked again. False when that is not worth waiting for. */
async function waitForRest(
  resting: readonly Candidate[],
  { clock, signal }: TurnInput,
  { tried }: TurnSearch,
): Promise<boolean> {
  const restMs = Math.min(...resting.map((candidate) => restOf(candidate, tried)));
  if (restMs > coolingMsMax) return false;
  const rested = clock.sleep(restMs, signal).then(() => true);
  return (await unlessAborted(rested, signal)) ?? false;
}

/** Until one of its keys may be used that did not fail already. */
function restOf({ lane, route }: Candidate, tried: ReadonlySet<string>): number {
  const { keys } = route.upstream;
  const untried = keys.filter(({ id }) => !tried.has(id));
  return keys.length > 0 && untried.length === 0 ? Number.POSITIVE_INFINITY : lane.restMs(untried);
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
