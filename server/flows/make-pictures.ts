import type { Route } from '../catalog/catalog.ts';
import type { ImageRequest } from '../images/image-request.ts';
import { assert, must } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { EncodedImage } from '../lib/encoded-image.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { AdapterPool } from '../upstreams/adapter-pool.ts';
import type { Fault, ImageJob, UpstreamError } from '../upstreams/upstream.ts';
import { type AttemptRecord, attempt, type MadePicture } from './attempt.ts';

export interface MakeInput {
  traceId: string;
  request: ImageRequest;
  /** Candidates in order. */
  routes: readonly Route[];
  adapters: AdapterPool;
  clock: Clock;
  signal: AbortSignal;
  /** Attempts per picture. */
  attemptsMax: number;
  onPartial: (index: number, image: EncodedImage) => void;
}

export type MakeOutcome =
  | { kind: 'made'; pictures: readonly MadePicture[]; attempts: readonly AttemptRecord[] }
  | { kind: 'failed'; error: ServiceError; attempts: readonly AttemptRecord[] };

/** Makes the n pictures of a request side by side. One is enough for a success. */
export async function makePictures(input: MakeInput): Promise<MakeOutcome> {
  const attempts: AttemptRecord[] = [];
  const indexes = Array.from({ length: input.request.n }, (_, index) => index);
  const outcomes = await Promise.all(indexes.map((index) => makePicture(input, index, attempts)));
  const pictures = outcomes.filter((outcome) => outcome.kind === 'made');
  if (pictures.length > 0) {
    return { kind: 'made', pictures: pictures.map(({ picture }) => picture), attempts };
  }
  const [first] = outcomes.filter((outcome) => outcome.kind === 'failed');
  const { error } = must(first, 'the outcome of a picture');
  return { kind: 'failed', error: publicError(error, attempts, input.traceId), attempts };
}

type PictureOutcome =
  | { kind: 'made'; picture: MadePicture }
  | { kind: 'failed'; error: UpstreamError };

/** Tries the candidates in order until one gives a picture; the fault decides how to go on. */
async function makePicture(
  input: MakeInput,
  pictureIndex: number,
  attempts: AttemptRecord[],
): Promise<PictureOutcome> {
  let candidate = 0;
  let chargedTries = 0;
  for (let number = 1; ; number++) {
    const route = must(input.routes[candidate], 'a candidate of an available model');
    const pooled = input.adapters.get(route.upstream);
    assert(pooled.kind === 'ready', 'a candidate has an adapter');
    const outcome = await attempt({
      adapter: pooled.adapter,
      upstreamName: route.upstream.name,
      key: route.upstream.keys[0] ?? null,
      job: jobOf(input, { route, pictureIndex, attempt: number }),
      clock: input.clock,
      signal: input.signal,
      onPartial: input.onPartial,
    });
    attempts.push(outcome.record);
    if (outcome.kind === 'made') return { kind: 'made', picture: outcome.picture };
    const { error } = outcome;
    if (outcome.record.possibly_charged) chargedTries++;
    const failed: PictureOutcome = { kind: 'failed', error };
    if (number >= input.attemptsMax || chargedTries > chargedTriesMax) return failed;
    const next = nextCandidate(error.fault, candidate, input.routes.length);
    if (next === null) return failed;
    if (next === candidate && !(await pause(input, error))) return failed;
    candidate = next;
  }
}

/** After an attempt that the operator may have to pay, at most one more. */
const chargedTriesMax = 1;

/** Which candidate to try next, by the fault alone; null stops. */
function nextCandidate(fault: Fault, candidate: number, candidates: number): number | null {
  switch (fault) {
    case 'refused':
    case 'bad_request':
    case 'canceled':
      return null;
    case 'busy':
    case 'unavailable':
      // Elsewhere first; the last candidate gets another try itself.
      return candidate + 1 < candidates ? candidate + 1 : candidate;
    case 'unsupported':
    case 'auth':
    case 'quota':
    case 'timeout':
    case 'protocol':
      return candidate + 1 < candidates ? candidate + 1 : null;
  }
}

const pauseDefaultMs = 500;
const pauseMaxMs = 5_000;

/** Waits before the same upstream is tried again. False when it asks for more than is worth waiting. */
async function pause({ clock, signal }: MakeInput, error: UpstreamError): Promise<boolean> {
  const ms = error.retryAfterMs ?? pauseDefaultMs;
  if (ms > pauseMaxMs) return false;
  try {
    await clock.sleep(ms, signal);
  } catch {
    // The signal aborted: nobody waits for another try.
    return false;
  }
  return true;
}

function jobOf(
  { request, traceId }: MakeInput,
  { route, pictureIndex, attempt: number }: { route: Route; pictureIndex: number; attempt: number },
): ImageJob {
  return {
    operation: request.operation,
    upstreamModel: route.upstreamModel,
    prompt: request.prompt,
    size: sizeOf(request.size),
    quality: request.quality,
    background: request.background,
    format: request.outputFormat,
    compression: request.outputCompression,
    partialImages: request.partialImages,
    inputFidelity: request.inputFidelity,
    moderation: request.moderation,
    referenceImages: request.referenceImages,
    mask: request.mask,
    pictureIndex,
    traceId,
    attempt: number,
    extra: route.options.extra,
  };
}

function sizeOf(size: ImageRequest['size']): ImageJob['size'] {
  if (size === 'auto') return 'auto';
  const [width, height] = size.split('x').map(Number);
  assert(width && height, `${size} is a size`);
  return { width, height };
}

/**
 * What the caller is told. An upstream's account trouble or rate limit is the operator's, so it
 * never shows as the caller's own 401 or 429.
 */
function publicError(
  error: UpstreamError,
  attempts: readonly AttemptRecord[],
  traceId: string,
): ServiceError {
  switch (error.fault) {
    case 'refused':
      return new ServiceError(
        'invalid_request_error',
        'The image service declined this prompt or picture. Nothing was charged. Change the prompt.',
        { retryable: false, cause: error },
      );
    case 'bad_request':
      return new ServiceError(
        'invalid_request_error',
        'The image service found a field of this request invalid. Nothing was charged.',
        { retryable: false, cause: error },
      );
    case 'unsupported':
      return new ServiceError(
        'model_unavailable',
        'No upstream of this model can do what this request asks for. Nothing was charged.',
        { retryable: false, cause: error },
      );
    default: {
      // A repeat would cost the operator again once the upstream had taken the work on.
      const repeatable = !attempts.some((record) => record.possibly_charged);
      return new ServiceError(
        'upstream_error',
        `The image service failed. Nothing was charged. Try again later; if it goes on, quote the trace ID ${traceId}.`,
        { ...(repeatable ? {} : { retryable: false }), cause: error },
      );
    }
  }
}
