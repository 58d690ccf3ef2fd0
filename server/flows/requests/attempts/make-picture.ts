import type { CatalogKey, Route } from '../../../catalog/catalog.ts';
import type { ImageRequest } from '../../../images/image-request.ts';
import { assert } from '../../../lib/assert.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { EncodedImage } from '../../../lib/pictures/encoded-image.ts';
import type { AdapterPool } from '../../../upstreams/adapter-pool.ts';
import type { Skip } from '../../../upstreams/lane.ts';
import type { LanePool } from '../../../upstreams/lane-pool.ts';
import { type Fault, UpstreamError } from '../../../upstreams/upstream.ts';
import { type AttemptRecord, attempt, type MadePicture, skippedRecord } from './attempt.ts';
import { jobOf } from './image-job.ts';
import type { RequestWork } from './request-work.ts';
import { findTurn, type Turn } from './upstream-turn.ts';

export interface MakeInput {
  traceId: string;
  request: ImageRequest;
  /** Candidates in order. */
  routes: readonly Route[];
  adapters: AdapterPool;
  lanes: LanePool;
  clock: Clock;
  signal: AbortSignal;
  /** See `AttemptInput`. */
  unwanted: AbortSignal;
  /** Attempts per picture; see {@link refusedCallsMax} for those that do not count. */
  attemptsMax: number;
  onPartial: (index: number, image: EncodedImage) => Promise<void>;
  /** A key was refused so often that it should be disabled. */
  onDeadKey: (route: Route, key: CatalogKey, fault: 'auth' | 'quota') => void;
}

export type PictureOutcome =
  | { kind: 'made'; picture: MadePicture }
  | { kind: 'failed'; error: UpstreamError };

/** Faults after which nobody is asked again. */
const stoppingFaults: readonly Fault[] = ['refused', 'bad_request', 'canceled'];

/** Faults that another key of the same upstream may not have. */
const keyFaults: readonly Fault[] = ['auth', 'quota', 'busy'];

/** Faults that may be over in a moment, for which the last candidate is tried again. */
const passingFaults: readonly Fault[] = ['busy', 'unavailable'];

/** After an attempt that the operator may have to pay, at most one more, whatever ends that. */
const triesAfterChargeMax = 1;

/** Faults by which a key is turned away: nothing was made, so the attempt is not used up. */
const refusedKeyFaults: readonly Fault[] = ['auth', 'quota'];

/** Keys of one upstream that a picture finds refused before it goes on with the next upstream. */
export const refusedKeysPerUpstreamMax = 2;

/** Calls with a refused key that a picture has besides its attempts; more of them count as such. */
export const refusedCallsMax = 8;

/** What the pictures of one request share. */
export interface Together {
  /** Filled as they are made. */
  attempts: AttemptRecord[];
  work: RequestWork;
}

/** Tries the candidates in order until one gives a picture; the fault decides how to go on. */
export async function makePicture(
  input: MakeInput,
  pictureIndex: number,
  { attempts, work }: Together,
): Promise<PictureOutcome> {
  const onPartial = risingPartials(input);
  const onSkipped = skipNotes(input, pictureIndex, attempts);
  const gone: Gone = { ended: new Set(), tried: new Set(), refusedKeys: new Map() };
  let failed: Failed | null = null;
  let triesLeft = input.attemptsMax;
  let refusalsLeft = refusedCallsMax;
  const begunMs = input.clock.monotonic();
  for (let number = 1; ; ) {
    const turn = await findTurn(input, { ...gone, work, onSkipped });
    if (turn === null) {
      if (failed && (await rest(input, failed, gone))) continue;
      break;
    }
    const outcome = await take(
      turn,
      { ...input, onPartial },
      { pictureIndex, number, begunMs, work },
    );
    if (outcome === 'breaker_open') {
      onSkipped(turn.route, outcome);
      gone.ended.add(turn.candidate);
    } else {
      attempts.push(outcome.record);
      if (outcome.kind === 'made') return { kind: 'made', picture: outcome.picture };
      failed = { error: outcome.error, turn, hasRested: false };
      number++;
      if (refusalsLeft > 0 && isRefusedKey(outcome.record)) refusalsLeft--;
      else triesLeft--;
      if (outcome.record.possibly_charged) triesLeft = Math.min(triesLeft, triesAfterChargeMax);
      const isStopped = input.signal.aborted || stoppingFaults.includes(outcome.error.fault);
      if (isStopped || triesLeft === 0) break;
      leaveBehind(outcome.error.fault, turn, gone);
    }
    const isLast = gone.ended.size === input.routes.length;
    if (isLast && !(failed && (await rest(input, failed, gone)))) break;
  }
  return { kind: 'failed', error: failed?.error ?? notTried(input) };
}

function isRefusedKey({ fault, possibly_charged: possiblyCharged }: AttemptRecord): boolean {
  return fault !== null && refusedKeyFaults.includes(fault) && !possiblyCharged;
}

/** The attempt that failed last. */
interface Failed {
  error: UpstreamError;
  turn: Turn;
  /** Whether it was given its rest. It gets one, whatever comes of the turn behind it. */
  hasRested: boolean;
}

/** What failed this picture: candidates by their place, and keys. */
interface Gone {
  ended: Set<number>;
  tried: Set<string>;
  /** How many keys of a candidate were refused. */
  refusedKeys: Map<number, number>;
}

const fullRetryMs = 1_000;

/** Why no upstream was called at all, and when the first of them may be. */
function notTried({ routes, lanes, signal }: MakeInput): UpstreamError {
  if (signal.reason instanceof UpstreamError) return signal.reason;
  const rests = routes.map(({ upstream }) => lanes.of(upstream).restMs(upstream.keys));
  const retryAfterMs = Math.max(fullRetryMs, Math.min(...rests));
  return new UpstreamError('busy', 'no upstream was free', { retryAfterMs });
}

interface Try {
  pictureIndex: number;
  /** From 1. */
  number: number;
  /** When the picture was begun, by the clock that only goes forward. */
  begunMs: number;
  work: RequestWork;
}

/** One call, its place given back and what it says of the key remembered; also when it throws. */
async function take(
  { route, key, lane, leave }: Turn,
  input: MakeInput,
  { pictureIndex, number, begunMs, work }: Try,
) {
  const end = work.begin(lane);
  const startedMs = input.clock.monotonic();
  try {
    const outcome = await lane.attempt(async () => {
      const made = await attempt({
        adapter: adapterOf(route, input.adapters),
        upstreamName: route.upstream.name,
        key,
        strictMask: route.options.strictMask,
        job: jobOf(input, { route, pictureIndex, attempt: number }),
        clock: input.clock,
        signal: input.signal,
        unwanted: input.unwanted,
        onPartial: input.onPartial,
      });
      if (made.kind === 'made') return { ...made, error: null };
      return { ...made, wasCutShort: wasCutShort(input, { begunMs, startedMs }) };
    });
    if (outcome === null) return 'breaker_open';
    const dead = lane.noteKey(key, outcome.error);
    if (key && dead) input.onDeadKey(route, key, dead);
    return outcome;
  } finally {
    end();
    leave();
  }
}

/** A call that is stopped shows that its upstream is too slow only if it had this share of the time. */
const judgedShare = 3 / 4;

/** Whether what came before, such as another upstream or a queue, took a large part of the time that is over now. */
function wasCutShort(
  { clock, signal }: MakeInput,
  { begunMs, startedMs }: { begunMs: number; startedMs: number },
): boolean {
  const nowMs = clock.monotonic();
  return signal.aborted && nowMs - startedMs < judgedShare * (nowMs - begunMs);
}

function adapterOf({ upstream }: Route, adapters: AdapterPool) {
  const pooled = adapters.get(upstream);
  assert(pooled.kind === 'ready', 'a candidate has an adapter');
  return pooled.adapter;
}

/** Passes over a candidate for good, or only over its key where another may do. */
function leaveBehind(fault: Fault, { candidate, route, key }: Turn, gone: Gone): void {
  const { ended, tried, refusedKeys } = gone;
  if (!keyFaults.includes(fault)) ended.add(candidate);
  else if (key) tried.add(key.id);
  if (refusedKeyFaults.includes(fault)) {
    const refused = (refusedKeys.get(candidate) ?? 0) + 1;
    refusedKeys.set(candidate, refused);
    if (refused >= refusedKeysPerUpstreamMax) ended.add(candidate);
  }
  if (!route.upstream.keys.some(({ id }) => !tried.has(id))) ended.add(candidate);
}

const restDefaultMs = 500;
const restMsMax = 5_000;

/**
 * Lets the candidate that failed last be tried again, after a rest, when nobody else can be called.
 * False when its fault would not pass, or it asks for more than is worth waiting.
 */
async function rest(
  { clock, signal }: MakeInput,
  failed: Failed,
  { ended, tried }: Gone,
): Promise<boolean> {
  const { fault, retryAfterMs } = failed.error;
  const { candidate, route } = failed.turn;
  const ms = retryAfterMs ?? restDefaultMs;
  if (failed.hasRested || !passingFaults.includes(fault) || ms > restMsMax) return false;
  failed.hasRested = true;
  try {
    await clock.sleep(ms, signal);
  } catch {
    // The signal aborted: nobody waits for another try.
    return false;
  }
  ended.delete(candidate);
  for (const { id } of route.upstream.keys) tried.delete(id);
  return true;
}

/** An upstream that was passed over is recorded once for each reason. */
function skipNotes(
  { clock }: MakeInput,
  pictureIndex: number,
  attempts: AttemptRecord[],
): (route: Route, skip: Skip) => void {
  const noted = new Set<string>();
  return (route, skip) => {
    const note = JSON.stringify([route.upstream.id, route.upstreamModel, skip]);
    if (noted.has(note)) return;
    noted.add(note);
    attempts.push(skippedRecord(route, { skip, pictureIndex, now: clock.now() }));
  };
}

/**
 * Partial images as the caller sees them: where a second attempt begins again from 0, its indexes go
 * on from those already shown, up to the number asked for.
 */
function risingPartials({ onPartial, request }: MakeInput): MakeInput['onPartial'] {
  let shown = 0;
  return async (_index, image) => {
    if (shown >= request.partialImages) return;
    shown++;
    await onPartial(shown - 1, image);
  };
}
