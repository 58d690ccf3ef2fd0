/**
 * The life of an image request from a valid request to a run that makes its pictures: known model,
 * available, not a repeat, a slot and the money free. What is refused here costs nothing.
 */
import type { KeyAccess } from '../../accounts/api-key.ts';
import type { GivenRequest, ImageRequest, ReadRequest } from '../../images/image-request.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { joinEarlierRun, waitForKey } from './earlier-run.ts';
import { findOffer } from './find-offer.ts';
import type { ImageServices } from './image-services.ts';
import type { RequestHints } from './request-hints.ts';
import type { AnswerableRun } from './runs/answerable-run.ts';
import { startRun } from './start-run.ts';

export interface StartedRun {
  run: AnswerableRun;
  /** Whether the run was there already and this request only waits for its answer. */
  replayed: boolean;
}

export async function runImageRequest(
  services: ImageServices,
  caller: KeyAccess,
  { request, fetchPictures }: ReadRequest,
  hints: RequestHints,
): Promise<StartedRun> {
  const catalog = await services.catalog.current();
  hints.note.model = catalog.model(request.model)?.id ?? null;
  // What was paid for is given again, whatever has become of its model.
  const earlier = await joinEarlierRun(services, caller, request, hints);
  if (earlier) return { run: earlier, replayed: true };
  if (hints.isRepeatOnly) return repeatEarlier(services, caller, request, hints);
  if (fetchPictures) return repeatOrFetch(services, caller, { request, fetchPictures }, hints);
  const offer = findOffer(services, { catalog, caller, request });
  if (offer.refusal) return repeatOrRefuse(services, caller, request, { hints, ...offer });
  const run = await startRun(services, { caller, request, hints, ...offer });
  if (run) return { run, replayed: false };
  const repeated = await waitForKey(services, caller, request, hints);
  if (repeated) return { run: repeated, replayed: true };
  return runImageRequest(services, caller, { request, fetchPictures }, hints);
}

/** What is behind a link may be gone by now. The answer of the request that this one repeats is not. */
async function repeatOrFetch(
  services: ImageServices,
  caller: KeyAccess,
  { request, fetchPictures }: Exclude<ReadRequest, { fetchPictures: null }>,
  hints: RequestHints,
): Promise<StartedRun> {
  const run = await waitForAnyKey(services, caller, request, hints);
  if (run) return { run, replayed: true };
  const whole = { request: await fetchPictures(), fetchPictures: null };
  return runImageRequest(services, caller, whole, hints);
}

async function repeatEarlier(
  services: ImageServices,
  caller: KeyAccess,
  request: GivenRequest,
  hints: RequestHints,
): Promise<StartedRun> {
  const run = await waitForKey(services, caller, request, hints);
  if (run) return { run, replayed: true };
  const message =
    'This asks for the answer of an earlier request, and its Idempotency-Key stands for none: that request failed, was canceled, or never came here. Nothing was charged.';
  throw new ServiceError('invalid_request_error', message, {
    param: 'Idempotency-Key',
    retryable: false,
  });
}

/** What {@link waitForKey} finds, for a request that may have no key. */
async function waitForAnyKey(
  services: ImageServices,
  caller: KeyAccess,
  request: GivenRequest,
  hints: RequestHints,
): Promise<AnswerableRun | null> {
  return hints.idempotencyKey === null ? null : waitForKey(services, caller, request, hints);
}

/** Another process may have the answer of an earlier request. */
async function repeatOrRefuse(
  services: ImageServices,
  caller: KeyAccess,
  request: ImageRequest,
  { hints, refusal }: { hints: RequestHints; refusal: ServiceError },
): Promise<StartedRun> {
  const run = await waitForAnyKey(services, caller, request, hints);
  if (run) return { run, replayed: true };
  throw refusal;
}
