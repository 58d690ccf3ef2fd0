import type { CatalogKey, Route } from '../../../catalog/catalog.ts';
import { type Picture, readPicture, toForm } from '../../../images/picture.ts';
import { isSameSize, keepOutsideMask } from '../../../images/strict-mask.ts';
import { abortOf, endWait } from '../../../lib/abort.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type EncodedImage, letGo } from '../../../lib/pictures/encoded-image.ts';
import type { Skip } from '../../../upstreams/lane.ts';
import {
  type Adapter,
  type Fault,
  type ImageJob,
  UpstreamError,
  type UpstreamFinal,
  type UpstreamTokens,
  type UpstreamWarning,
} from '../../../upstreams/upstream.ts';
import { refuseMisfit } from './refuse-misfit.ts';

/** What is recorded of one call to one upstream; never a prompt, a picture or an upstream's text. */
export interface AttemptRecord {
  /** Which of the request's pictures, from 0. */
  picture: number;
  /** From 1 within the picture; 0 for an upstream that was not called. */
  attempt: number;
  upstream: string;
  upstream_model: string;
  /** Name of the upstream's key that was used; null where it needs none. */
  upstream_key: string | null;
  /** Unix milliseconds. */
  started_at: number;
  duration_ms: number;
  fault: Fault | null;
  status: number | null;
  upstream_code: string | null;
  /** The field that the upstream found at fault, when it named one in a machine's word. */
  upstream_param: string | null;
  upstream_request_id: string | null;
  /** Whether the operator may have to pay the upstream although no picture came of it. */
  possibly_charged: boolean;
  /** How many jobs of the upstream came before ours when it was queued; null where it did not say. */
  queued_behind: number | null;
  /** Why the upstream was not called after all; null when it was. */
  skipped: Skip | null;
  /** What the picture was made without. */
  warnings: readonly UpstreamWarning[];
}

/** A picture and what is told of it. */
export interface MadePicture extends Picture {
  /** As the upstream rewrote the prompt; the caller's own where it did not. */
  revisedPrompt: string;
  /** What was really used, as far as the upstream says. */
  quality: string;
  background: string;
  tokens: UpstreamTokens | null;
}

export type AttemptOutcome =
  | { kind: 'made'; picture: MadePicture; record: AttemptRecord }
  | { kind: 'failed'; error: UpstreamError; record: AttemptRecord };

export interface AttemptInput {
  adapter: Adapter;
  upstreamName: string;
  key: Pick<CatalogKey, 'name' | 'credential'> | null;
  /** See `SelectionOptions`. */
  strictMask: boolean;
  job: ImageJob;
  clock: Clock;
  /** Aborts when nobody wants the picture any more or its time is over. */
  signal: AbortSignal;
  /** Aborts, at the latest with `signal`, when nobody wants the picture any more. */
  unwanted: AbortSignal;
  onPartial: (index: number, image: EncodedImage) => Promise<void>;
}

/**
 * How long after its time a picture that is there may take to be put into the asked form. The upstream
 * has been paid for it, and a caller who waited so long waits for this too: proxies allow some seconds
 * more than the service takes for itself.
 */
export const finishMsMax = 5_000;

/** Calls one upstream once and checks what it gave. */
export async function attempt(input: AttemptInput): Promise<AttemptOutcome> {
  const { clock, job } = input;
  const startedAt = clock.now();
  const started = clock.monotonic();
  const seen: Seen = {
    accepted: false,
    isMade: false,
    upstreamRequestId: null,
    queuedBehind: null,
    warnings: [],
  };
  const over = new AbortController();
  const isBegun = !input.signal.aborted;
  const record = (error: UpstreamError | null): AttemptRecord => ({
    picture: job.pictureIndex,
    attempt: job.attempt,
    upstream: input.upstreamName,
    upstream_model: job.upstreamModel,
    upstream_key: input.key?.name ?? null,
    started_at: startedAt,
    duration_ms: Math.round(clock.monotonic() - started),
    fault: error?.fault ?? null,
    status: error?.status ?? null,
    upstream_code: error?.upstreamCode ?? null,
    upstream_param: error?.upstreamParam ?? null,
    upstream_request_id: error?.upstreamRequestId ?? seen.upstreamRequestId,
    possibly_charged: error !== null && possiblyCharged(error, seen),
    queued_behind: seen.queuedBehind,
    skipped: null,
    warnings: seen.warnings,
  });
  try {
    // An adapter that does not stop when it is told to must not keep the hold open.
    const picture = await Promise.race([call(input, seen), stopOf(input, seen, over.signal)]);
    return { kind: 'made', picture, record: record(null) };
  } catch (thrown) {
    const error = asUpstreamError(thrown, input.signal);
    // What is stopped under way may have been taken on: most say nothing before the picture is done.
    if (isBegun && input.signal.aborted) seen.accepted = true;
    return { kind: 'failed', error, record: record(error) };
  } finally {
    endWait(over);
  }
}

/** Rejects when the attempt is to end, whatever comes of it: one that has its picture, a little later. */
async function stopOf(
  { clock, signal, unwanted }: AttemptInput,
  seen: Seen,
  over: AbortSignal,
): Promise<never> {
  try {
    return await abortOf(signal);
  } catch (reason) {
    if (seen.isMade) await Promise.race([clock.sleep(finishMsMax, over), abortOf(unwanted)]);
    throw reason;
  }
}

/** The entry for an upstream that was passed over. */
export function skippedRecord(
  { upstream, upstreamModel }: Route,
  { skip, pictureIndex, now }: { skip: Skip; pictureIndex: number; now: number },
): AttemptRecord {
  return {
    picture: pictureIndex,
    attempt: 0,
    upstream: upstream.name,
    upstream_model: upstreamModel,
    upstream_key: null,
    started_at: now,
    duration_ms: 0,
    fault: null,
    status: null,
    upstream_code: null,
    upstream_param: null,
    upstream_request_id: null,
    possibly_charged: false,
    queued_behind: null,
    skipped: skip,
    warnings: [],
  };
}

interface Seen {
  /** Whether the work was begun: said, or shown by what came of it. */
  accepted: boolean;
  /** Whether the upstream has given the picture. */
  isMade: boolean;
  upstreamRequestId: string | null;
  queuedBehind: number | null;
  warnings: readonly UpstreamWarning[];
}

async function call(input: AttemptInput, seen: Seen): Promise<MadePicture> {
  const { adapter, clock, job, signal } = input;
  const credential = input.key?.credential ?? null;
  for await (const event of adapter.run(job, { clock, signal, credential })) {
    switch (event.kind) {
      case 'accepted':
        seen.accepted = true;
        seen.upstreamRequestId = event.upstreamRequestId;
        break;
      case 'queued':
        // The first number is the highest.
        seen.queuedBehind ??= event.behind;
        break;
      case 'partial':
        seen.accepted = true;
        refuseMisfit(event.image, input);
        await input.onPartial(event.index, event.image);
        break;
      case 'final': {
        seen.accepted = true;
        seen.isMade = true;
        seen.upstreamRequestId = event.upstreamRequestId ?? seen.upstreamRequestId;
        seen.warnings = event.warnings;
        const made = await finished(event, input);
        seen.warnings = [...new Set([...event.warnings, ...made.warnings])];
        return { ...made.picture, ...toldOf(event, { job, ...made }) };
      }
    }
  }
  throw new UpstreamError('protocol', 'the upstream ended without a picture', {
    possiblyCharged: true,
  });
}

interface Finished {
  picture: Picture;
  /** As the upstream says, unless the picture was put together here; null where it does not. */
  background: string | null;
  /** What was not as asked, whether the upstream says so or not. */
  warnings: readonly UpstreamWarning[];
}

async function finished(
  { image, actual }: UpstreamFinal,
  { job, strictMask }: AttemptInput,
): Promise<Finished> {
  const given = readPicture(image);
  if (!given) {
    letGo(image);
    throw unusable('the upstream did not deliver a whole picture');
  }
  const [reference] = job.referenceImages;
  const { mask } = job;
  if (!strictMask || !mask || !reference) {
    const picture = await toForm(given, job);
    if (picture?.image !== image) letGo(image);
    if (!picture) throw unusable('the upstream did not deliver a whole picture');
    return { picture, background: actual.background, warnings: differences(given, job) };
  }
  refuseMisfit(given.image, { job, strictMask });
  const picture = await keepOutsideMask(given, { reference, mask, form: job });
  if (!picture) throw unusable('what is outside the mask could not be kept');
  letGo(image);
  const { background } = picture;
  const warnings = differences(given, job);
  if (!isSameSize(given, mask)) warnings.push('mask_resized');
  return { picture, background, warnings };
}

function differences(given: Picture, { size, format }: ImageJob): UpstreamWarning[] {
  const warnings: UpstreamWarning[] = [];
  if (size !== 'auto' && !isSameSize(given, size)) warnings.push('size_approximated');
  if (given.format !== format) warnings.push('format_converted');
  return warnings;
}

function unusable(message: string): UpstreamError {
  return new UpstreamError('protocol', message, { possiblyCharged: true });
}

function toldOf(
  final: UpstreamFinal,
  { job, picture, background }: { job: ImageJob } & Omit<Finished, 'warnings'>,
) {
  return {
    revisedPrompt: final.revisedPrompt ?? job.prompt,
    quality: final.actual.quality ?? job.quality,
    // Without an alpha channel it is opaque, whatever was asked for or said.
    background: picture.hasAlpha ? (background ?? job.background) : 'opaque',
    tokens: final.tokens,
  };
}

/** Faults that name their cause were not billed; the others may have been, once accepted. */
function possiblyCharged(error: UpstreamError, seen: Seen): boolean {
  if (error.possiblyCharged) return true;
  const ambiguous: readonly Fault[] = ['timeout', 'protocol', 'unavailable', 'canceled'];
  return seen.accepted && ambiguous.includes(error.fault);
}

function asUpstreamError(thrown: unknown, signal: AbortSignal): UpstreamError {
  if (signal.aborted) {
    // The reason says whether time ran out or nobody wants the picture any more.
    if (signal.reason instanceof UpstreamError) return signal.reason;
    return new UpstreamError('canceled', 'the attempt was stopped', { cause: thrown });
  }
  if (thrown instanceof UpstreamError) return thrown;
  return new UpstreamError('protocol', 'the adapter failed', { cause: thrown });
}
