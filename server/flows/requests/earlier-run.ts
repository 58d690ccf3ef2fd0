/** What a repeat is answered with: the run of its first request, which this process or another one has. */
import type { KeyAccess } from '../../accounts/api-key.ts';
import { fingerprintOf, type GivenRequest } from '../../images/image-request.ts';
import { must } from '../../lib/assert.ts';
import type { NotTaken } from '../../lib/calls.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { findClaimedKey } from '../../usage/idempotency-store.ts';
import { readHold } from '../../wallets/delivery-store.ts';
import { hasUnfinishedElsewhere } from '../../wallets/lease-store.ts';
import type { ImageServices } from './image-services.ts';
import type { RequestHints } from './request-hints.ts';
import type { AnswerableRun } from './runs/answerable-run.ts';
import type { ImageRun } from './runs/image-run.ts';
import { AnswerElsewhere, type Progress, progressOf } from './siblings/answer-elsewhere.ts';
import { BorrowedRun } from './siblings/borrowed-run.ts';
import { throwIfFull } from './throw-if-full.ts';

export const repeatLimits = {
  /** Between two looks at what became of a request that another process has. */
  keyPollMs: 500,
  /** How long an answer that is charged elsewhere is waited for: to be handed over, mostly in a moment. */
  handOverMs: 3_000,
  /** How long a sibling that stands still is waited for: then its lease is over, and what it charged is returned. */
  standsStillMs: 30_000,
} as const;

type Services = Pick<
  ImageServices,
  'clock' | 'db' | 'limits' | 'processId' | 'runs' | 'secretBox' | 'siblings'
>;
type Caller = Pick<KeyAccess, 'apiKeyId'>;
type Hints = Pick<RequestHints, 'cut' | 'gone' | 'idempotencyKey' | 'isRetry' | 'runCaller'>;

/** The run that a request repeats, as far as that is known before it is admitted; it is a caller of it then. */
export async function joinEarlierRun(
  services: Services,
  caller: Caller,
  request: GivenRequest,
  hints: Hints,
): Promise<AnswerableRun | null> {
  const { idempotencyKey, isRetry } = hints;
  if (idempotencyKey === null && !isRetry) return null;
  const wanted = wantedBy(request);
  const here = joinRunHere(services, caller, wanted, hints);
  if (here) return here;
  // Whether an Idempotency-Key stands for anything, the database tells at less cost.
  return idempotencyKey === null ? joinAbandonedThere(services, caller, wanted, hints) : null;
}

/** What is to be known of a request to find the one that it repeats. */
interface Wanted extends Pick<GivenRequest, 'stream'> {
  fingerprint: string;
}

/** Once for each request: hashing its pictures takes long, and it may look again and again. */
function wantedBy(request: GivenRequest): Wanted {
  return { stream: request.stream, fingerprint: fingerprintOf(request) };
}

/**
 * A sibling that stands still does not say whether it has the run. As long as this API key has an unfinished request at
 * another process, the siblings are asked again: begun anew, the request might be charged a second time.
 */
async function joinAbandonedThere(
  services: Services,
  caller: Caller,
  wanted: Wanted,
  hints: Hints,
): Promise<AnswerableRun | null> {
  const { clock, db, processId, runs } = services;
  const until = clock.monotonic() + repeatLimits.standsStillMs;
  for (;;) {
    const there = await joinSiblingRun(services, caller, wanted, hints);
    if (there instanceof BorrowedRun) return there;
    if (there === 'nobody' || clock.monotonic() >= until) return null;
    if (!(await hasUnfinishedElsewhere(db, { ...caller, processId }))) return null;
    await runs.whileWaiting(() => waitWhileConnected(clock, hints.gone));
  }
}

/**
 * The key stands for a request that is not in this process's memory: another process has it or had it. Either
 * way nothing is charged again. Null when it ended without a charge, so that this one may run.
 */
export async function waitForKey(
  services: Services,
  caller: Caller,
  request: GivenRequest,
  hints: Hints,
): Promise<AnswerableRun | null> {
  const key = must(hints.idempotencyKey, 'the key that is taken');
  const wanted = wantedBy(request);
  const { clock, limits, runs, secretBox } = services;
  const deadline = clock.monotonic() + limits.deadlineMs;
  let handedOverBy: number | null = null;
  for (let progress: Progress = 'running'; ; ) {
    const here = joinRunHere(services, caller, wanted, hints);
    if (here) return here;
    const there = await joinSiblingRun(services, caller, wanted, hints);
    if (there instanceof BorrowedRun) return there;
    const claimed = await findClaimedKey(services.db, { apiKeyId: caller.apiKeyId, key });
    if (!claimed) return null;
    // What another secret key marked may be this very request: it is waited for.
    const isSame = secretBox.isMarkOf(claimed.fingerprint, wanted.fingerprint);
    if (isSame === false) throw otherRequest(claimed.traceId);
    // Done at the last look, and in nobody's memory at this one.
    if (progress === 'paid' && there === 'nobody') throw answerGone(claimed.traceId);
    progress = progressOf(await readHold(services.db, claimed.traceId));
    if (progress === 'paid' && there === 'nobody') continue;
    const nowMs = clock.monotonic();
    if (progress !== 'running') handedOverBy ??= nowMs + repeatLimits.handOverMs;
    if (nowMs >= (handedOverBy ?? deadline)) throw new AnswerElsewhere(progress, claimed.traceId);
    throwIfFull(services);
    // It counts as running meanwhile.
    await runs.whileWaiting(() => waitWhileConnected(clock, hints.gone));
  }
}

function joinRunHere(
  services: Services,
  caller: Caller,
  wanted: Wanted,
  hints: Hints,
): ImageRun | null {
  const run = findRunHere(services, caller, wanted, hints);
  // At once: a run that nobody waits for may be forgotten, its pictures with it, the next moment.
  run?.attach(hints.runCaller);
  return run;
}

function findRunHere(
  { runs }: Services,
  { apiKeyId }: Caller,
  { fingerprint }: Wanted,
  { idempotencyKey: key }: Hints,
): ImageRun | null {
  // Without a key, only a retry looks for a run.
  if (key === null) return runs.findAbandoned(apiKeyId, fingerprint);
  const earlier = runs.findByKey(apiKeyId, { key, fingerprint });
  if (earlier && !earlier.same) throw otherRequest(earlier.run.traceId);
  return earlier && earlier.run;
}

async function joinSiblingRun(
  { limits, runs, siblings }: Services,
  { apiKeyId }: Caller,
  { fingerprint, stream }: Wanted,
  { cut, idempotencyKey }: Hints,
): Promise<BorrowedRun | NotTaken> {
  if (!siblings) return 'nobody';
  throwIfFull({ runs, limits });
  const wanted = { apiKeyId, idempotencyKey, fingerprint };
  const outcomeMs = stream ? limits.streamDeadlineMs : limits.deadlineMs;
  return runs.whileWaiting(() => siblings.join(wanted, { outcomeMs, cut }));
}

async function waitWhileConnected(clock: Clock, gone: AbortSignal): Promise<void> {
  try {
    await clock.sleep(repeatLimits.keyPollMs, gone);
  } catch {
    throw invalidRequest(null, 'The caller closed the connection.');
  }
}

function otherRequest(traceId: string): ServiceError {
  return invalidRequest(
    'Idempotency-Key',
    `This Idempotency-Key was used for another request (trace ID ${traceId}). Use a new key for a new request.`,
  );
}

function answerGone(traceId: string): ServiceError {
  return new ServiceError(
    'invalid_request_error',
    `The request of this Idempotency-Key is done and was charged once (trace ID ${traceId}); its answer is no longer kept here. Use a new key to make another picture.`,
    { param: 'Idempotency-Key', retryable: false },
  );
}
