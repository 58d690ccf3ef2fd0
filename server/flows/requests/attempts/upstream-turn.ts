import type { CatalogKey, Route } from '../../../catalog/catalog.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Skip, UpstreamLane } from '../../../upstreams/lane.ts';
import type { LanePool } from '../../../upstreams/lane-pool.ts';
import type { Leave } from '../../../upstreams/places.ts';
import type { RequestWork } from './request-work.ts';

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
  /** Of all pictures of the request. */
  work: RequestWork;
  onSkipped: (route: Route, skip: Skip) => void;
}

/** How long a picture waits for an upstream that asked for a pause, also where it asks again and again. */
const coolingMsMax = 5_000;

/**
 * The first candidate that may be called now. Where there is none, the one that may be first: those
 * that are full are waited for within their queues' time, and those that asked for a pause where it is
 * short. Null when there is none, or when nobody wants the picture any more.
 */
export async function findTurn(input: TurnInput, search: TurnSearch): Promise<Turn | null> {
  const later: Later[] = [];
  if (input.signal.aborted) return null;
  for (const candidate of candidatesOf(input, search)) {
    const { lane, route } = candidate;
    const restMs = restOf(candidate, search.tried);
    if (restMs > 0) {
      search.onSkipped(route, 'cooling_down');
      later.push({ candidate, restMs });
      continue;
    }
    const leave = await lane.tryEnter();
    if (leave) {
      const turn = turnIn(candidate, leave, search);
      if (turn) return turn;
      later.push({ candidate, restMs: restOf(candidate, search.tried) });
    }
    // Whoever came to the end of its queue would be sent away.
    else if (lane.isLeftAlone) search.onSkipped(route, 'breaker_open');
    else later.push({ candidate, restMs: 0 });
  }
  return await firstOf(later, input, search);
}

/** A candidate that may be called later. */
interface Later {
  candidate: Candidate;
  /** Until it may be asked for a place. */
  restMs: number;
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

/** Waits for all of them at once, and takes the first that may be called. */
async function firstOf(
  later: readonly Later[],
  input: TurnInput,
  search: TurnSearch,
): Promise<Turn | null> {
  const over = new AbortController();
  const signal = AbortSignal.any([input.signal, over.signal]);
  const waits = later.map((each) => waitFor(each, { ...input, signal }, search));
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

async function waitFor(
  { candidate, restMs }: Later,
  input: TurnInput,
  search: TurnSearch,
): Promise<Turn | null> {
  let patienceMs = coolingMsMax;
  for (let ms = restMs; ms <= patienceMs; ms = restOf(candidate, search.tried)) {
    patienceMs -= ms;
    if (!(await hasRested(ms, input))) return null;
    const entered = await enterInTurn(candidate, input, search.work);
    if (entered === null) return null;
    if (typeof entered === 'string') {
      search.onSkipped(candidate.route, entered);
      return null;
    }
    const turn = turnIn(candidate, entered, search);
    if (turn) return turn;
  }
  return null;
}

/** False when the signal put an end to it. */
async function hasRested(ms: number, { clock, signal }: TurnInput): Promise<boolean> {
  if (ms <= 0) return true;
  const rested = clock.sleep(ms, signal).then(() => true);
  return (await unlessAborted(rested, signal)) ?? false;
}

/**
 * A key takes its turn only with a place to call from: by those who go and wait for one, it would be
 * the next one's. Null, and the place is given back, where all of them were sent to rest meanwhile.
 */
function turnIn(candidate: Candidate, leave: Leave, search: TurnSearch): Turn | null {
  const { lane, route } = candidate;
  const key = lane.pickKey(route.upstream.keys, search.tried);
  if (key !== 'cooling_down') return { ...candidate, key, leave };
  leave();
  search.onSkipped(route, key);
  return null;
}

/**
 * A picture that waits behind others of its own request stands in the queue again, at its end: the
 * upstream is at work for them, so none of them is to be missing only for their number.
 */
async function enterInTurn(
  { lane, route }: Candidate,
  { clock, signal }: TurnInput,
  work: RequestWork,
): Promise<Leave | Skip | null> {
  for (;;) {
    const begunAt = clock.monotonic();
    const entered = await unlessAborted(lane.enter(signal), signal);
    const waits = entered === 'queue_wait' && route.upstream.limits.queueWaitMs > 0;
    if (!waits || !work.hasRunSince(lane, begunAt)) return entered;
  }
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
