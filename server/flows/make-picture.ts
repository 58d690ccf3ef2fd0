import type { CatalogKey, Route } from '../catalog/catalog.ts';
import type { ImageRequest } from '../images/image-request.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { EncodedImage } from '../lib/encoded-image.ts';
import type { AdapterPool } from '../upstreams/adapter-pool.ts';
import type { LanePool } from '../upstreams/lane-pool.ts';
import { type Fault, UpstreamError } from '../upstreams/upstream.ts';
import { type AttemptRecord, attempt, type MadePicture, skippedRecord } from './attempt.ts';
import { jobOf } from './image-job.ts';
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
  /** Attempts per picture. */
  attemptsMax: number;
  onPartial: (index: number, image: EncodedImage) => void;
  /** A key was refused so often that it should be disabled. */
  onDeadKey: (route: Route, key: CatalogKey, fault: 'auth' | 'quota') => void;
}

export type PictureOutcome =
  | { kind: 'made'; picture: MadePicture }
  | { kind: 'failed'; error: UpstreamError };

/** Faults that another key of the same upstream may not have. */
const keyFaults: readonly Fault[] = ['auth', 'quota', 'busy'];

/** After an attempt that the operator may have to pay, at most one more. */
const chargedTriesMax = 1;

/** Tries the candidates in order until one gives a picture; the fault decides how to go on. */
export async function makePicture(
  input: MakeInput,
  pictureIndex: number,
  attempts: AttemptRecord[],
): Promise<PictureOutcome> {
  const onPartial = risingPartials(input);
  const tried = new Set<string>();
  let failure: UpstreamError | null = null;
  let from = 0;
  let chargedTries = 0;
  for (let number = 1; number <= input.attemptsMax; ) {
    const turn = await findTurn(input, { from, tried, onSkipped: noteSkipped });
    if (turn === null) break;
    const outcome = await take(turn, { ...input, onPartial }, { pictureIndex, number });
    if (outcome === 'breaker_open') {
      noteSkipped(turn.route, outcome);
      from = turn.candidate + 1;
      continue;
    }
    attempts.push(outcome.record);
    if (outcome.kind === 'made') return { kind: 'made', picture: outcome.picture };
    failure = outcome.error;
    number++;
    if (outcome.record.possibly_charged) chargedTries++;
    if (turn.key && keyFaults.includes(failure.fault)) tried.add(turn.key.id);
    const next = nextCandidate(failure.fault, turn, { tried, candidates: input.routes.length });
    if (next === null || number > input.attemptsMax || chargedTries > chargedTriesMax) break;
    if (next === turn.candidate && !hasUntriedKey(turn.route, tried)) {
      if (!(await pause(input, failure))) break;
      for (const { id } of turn.route.upstream.keys) tried.delete(id);
    }
    from = next;
  }
  return { kind: 'failed', error: failure ?? noneFree() };

  function noteSkipped(route: Route, skip: Parameters<typeof skippedRecord>[1]['skip']): void {
    const now = input.clock.now();
    attempts.push(skippedRecord(route, { skip, pictureIndex, now }));
  }
}

function noneFree(): UpstreamError {
  return new UpstreamError('busy', 'no upstream was free');
}

/** One call, its place given back and what it says of the key remembered; also when it throws. */
async function take(
  { route, key, lane, leave }: Turn,
  input: MakeInput,
  { pictureIndex, number }: { pictureIndex: number; number: number },
) {
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
        onPartial: input.onPartial,
      });
      return made.kind === 'made' ? { ...made, error: null } : made;
    });
    if (outcome === null) return 'breaker_open';
    const dead = lane.noteKey(key, outcome.error);
    if (key && dead) input.onDeadKey(route, key, dead);
    return outcome;
  } finally {
    leave();
  }
}

function adapterOf({ upstream }: Route, adapters: AdapterPool) {
  const pooled = adapters.get(upstream);
  assert(pooled.kind === 'ready', 'a candidate has an adapter');
  return pooled.adapter;
}

/** Which candidate to try next, by the fault alone; null stops. */
function nextCandidate(
  fault: Fault,
  { candidate, route }: Turn,
  { tried, candidates }: { tried: ReadonlySet<string>; candidates: number },
): number | null {
  const another = candidate + 1 < candidates ? candidate + 1 : null;
  switch (fault) {
    case 'refused':
    case 'bad_request':
    case 'canceled':
      return null;
    case 'auth':
    case 'quota':
      // It is the key's trouble: another key of the same upstream may do.
      return hasUntriedKey(route, tried) ? candidate : another;
    case 'busy':
      return hasUntriedKey(route, tried) ? candidate : (another ?? candidate);
    case 'unavailable':
      // Elsewhere first; the last candidate gets another try itself.
      return another ?? candidate;
    case 'unsupported':
    case 'timeout':
    case 'protocol':
      return another;
  }
}

function hasUntriedKey({ upstream }: Route, tried: ReadonlySet<string>): boolean {
  return upstream.keys.some(({ id }: CatalogKey) => !tried.has(id));
}

const pauseDefaultMs = 500;
const pauseMsMax = 5_000;

/** Waits before the same upstream is tried again. False when it asks for more than is worth waiting. */
async function pause({ clock, signal }: MakeInput, error: UpstreamError): Promise<boolean> {
  const ms = error.retryAfterMs ?? pauseDefaultMs;
  if (ms > pauseMsMax) return false;
  try {
    await clock.sleep(ms, signal);
  } catch {
    // The signal aborted: nobody waits for another try.
    return false;
  }
  return true;
}

/**
 * Partial images as the caller sees them: where a second attempt begins again from 0, its indexes go
 * on from those already shown, up to the number asked for.
 */
function risingPartials({ onPartial, request }: MakeInput): MakeInput['onPartial'] {
  let shown = 0;
  return (_index, image) => {
    if (shown >= request.partialImages) return;
    onPartial(shown, image);
    shown++;
  };
}
