import type { PictureParams } from '../../../images/image-request.ts';
import { must } from '../../../lib/assert.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { type Fault, UpstreamError } from '../../../upstreams/upstream.ts';
import type { AttemptRecord, MadePicture } from './attempt.ts';
import { type MakeInput, makePicture } from './make-picture.ts';
import { MisfitError } from './refuse-misfit.ts';
import { RequestWork } from './request-work.ts';

export type MakeOutcome =
  | { kind: 'made'; pictures: readonly MadePicture[]; attempts: readonly AttemptRecord[] }
  | { kind: 'failed'; error: ServiceError; attempts: readonly AttemptRecord[] };

const finalFaults: readonly Fault[] = ['refused', 'bad_request'];

/** Makes the n pictures of a request side by side. One is enough for a success. */
export async function makePictures(input: MakeInput): Promise<MakeOutcome> {
  const attempts: AttemptRecord[] = [];
  const indexes = Array.from({ length: input.request.n }, (_, index) => index);
  const together = { attempts, work: new RequestWork(input.clock) };
  const outcomes = await Promise.all(indexes.map((index) => makePicture(input, index, together)));
  const pictures = outcomes.filter((outcome) => outcome.kind === 'made');
  if (pictures.length > 0) {
    return { kind: 'made', pictures: pictures.map(({ picture }) => picture), attempts };
  }
  const failures = outcomes.filter((outcome) => outcome.kind === 'failed');
  // Of several, the one by which the caller knows that the same request will fail again.
  const told = failures.find(({ error }) => finalFaults.includes(error.fault)) ?? failures[0];
  const { error } = must(told, 'the outcome of a picture');
  return { kind: 'failed', error: publicError(error, attempts, input), attempts };
}

/**
 * What the caller is told. An upstream's account trouble or rate limit is the operator's, so it
 * never shows as the caller's own 401 or 429.
 */
function publicError(
  error: UpstreamError,
  attempts: readonly AttemptRecord[],
  { traceId, request }: Pick<MakeInput, 'traceId' | 'request'>,
): ServiceError {
  switch (faultOfAll(error.fault, attempts)) {
    case 'refused':
      return new ServiceError(
        'invalid_request_error',
        'The image service declined this prompt or picture. Nothing was charged. Change the prompt.',
        { retryable: false, cause: error },
      );
    case 'bad_request':
      return invalidThere(error, request.pictureParams);
    case 'unsupported':
      if (error instanceof MisfitError) return otherProportions(error);
      return new ServiceError(
        'model_unavailable',
        'No upstream of this model can do what this request asks for. Nothing was charged.',
        { retryable: false, cause: error },
      );
    default: {
      if (attempts.every(({ skipped }) => skipped !== null)) return nobodyFree(error);
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

/** Fields of ours that upstreams name alike when they find them wrong. */
const sharedFields = [
  'prompt',
  'size',
  'quality',
  'background',
  'output_format',
  'output_compression',
  'moderation',
  'input_fidelity',
  'partial_images',
  'image',
  'mask',
] as const;

/** Says which field it was only where that is one of the caller's: other words are the upstream's. */
function invalidThere(error: UpstreamError, pictureParams: PictureParams): ServiceError {
  const names = (error.upstreamParam ?? '')
    .split(/[^a-z_]+/)
    .map((name) => name.replace(/^images$/, 'image'));
  const named = sharedFields.find((field) => names.includes(field));
  const own: Partial<Record<string, string>> = {
    image: pictureParams.images,
    mask: pictureParams.mask,
  };
  const param = named && (own[named] ?? named);
  const message = param
    ? `The image service found ${param} of this request invalid. Nothing was charged.`
    : 'The image service found a field of this request invalid. Nothing was charged.';
  return new ServiceError('invalid_request_error', message, {
    ...(param && { param }),
    retryable: false,
    cause: error,
  });
}

/** Who sent `auto` learns only now that the upstream makes no picture of the proportions of theirs. */
function otherProportions(cause: UpstreamError): ServiceError {
  const message =
    'With a mask, this model made a picture of other proportions than the first reference image. Nothing was charged. Cut the image and the mask to the proportions of a size, and name that size.';
  return new ServiceError('invalid_request_error', message, {
    param: 'size',
    retryable: false,
    cause,
  });
}

/** Whether a request failed by its upstreams, also by none of them being free: nothing here broke. */
export function isOfUpstreams({ code, cause }: ServiceError): boolean {
  return code === 'upstream_error' || (code === 'unavailable' && cause instanceof UpstreamError);
}

/** That the last upstream cannot do it says nothing of one that failed otherwise, or was not called. */
function faultOfAll(fault: Fault, attempts: readonly AttemptRecord[]): Fault {
  if (fault !== 'unsupported') return fault;
  const nameOf = (record: AttemptRecord) => `${record.upstream} ${record.upstream_model}`;
  const unable = new Set(attempts.filter((each) => each.fault === 'unsupported').map(nameOf));
  return attempts.every((record) => unable.has(nameOf(record))) ? fault : 'unavailable';
}

/** No upstream was called: all were full, or at rest until then. */
function nobodyFree(error: UpstreamError): ServiceError {
  const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1_000);
  return new ServiceError(
    'unavailable',
    'No upstream of this model is free now. Nothing was charged. Try again.',
    { retryAfterSeconds: Math.max(1, seconds), cause: error },
  );
}
