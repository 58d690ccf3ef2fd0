/** The step from a request to a run: a place, a slot and the money. What is refused here costs nothing. */
import { multiplyAmount } from '../../../shared/money.ts';
import type { KeyAccess } from '../../accounts/api-key.ts';
import type { Route } from '../../catalog/catalog.ts';
import type { Model } from '../../catalog/model.ts';
import { isTooSlow } from '../../db/database-error.ts';
import { fingerprintOf, type ImageRequest } from '../../images/image-request.ts';
import { must } from '../../lib/assert.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { lowBalanceOf, type Settings } from '../../settings/settings.ts';
import { releaseSurely } from '../money/end-hold.ts';
import { type Admission, type AdmitOutcome, admit, type Release } from '../money/hold-money.ts';
import { askedFormOf } from './asked-form.ts';
import type { ImageServices } from './image-services.ts';
import { throwIfRefused } from './refused-admission.ts';
import type { RequestHints } from './request-hints.ts';
import type { AnswerPlace } from './runs/answers-under-way.ts';
import type { ImageRun } from './runs/image-run.ts';
import { stoppingError } from './runs/run-error.ts';
import { throwIfFull } from './throw-if-full.ts';

/** A request for which there is an offer. */
interface OfferedRequest {
  caller: KeyAccess;
  model: Model;
  routes: readonly Route[];
  request: ImageRequest;
  hints: RequestHints;
}

/** Its caller is attached to it. Null when the request's Idempotency-Key stands for another one. */
export async function startRun(
  services: ImageServices,
  offered: OfferedRequest,
): Promise<ImageRun | null> {
  throwIfFull(services);
  const place = enterOrThrow(services, offered.model, offered.request);
  const endAdmission = services.runs.beginAdmission();
  let run: ImageRun | null = null;
  try {
    run = await admitAndStart(services, { ...offered, place, endAdmission });
  } finally {
    endAdmission();
    if (!run) place.leave([]);
  }
  run?.attach(offered.hints.runCaller);
  return run;
}

function enterOrThrow(
  { answersUnderWay }: ImageServices,
  { id }: Model,
  request: ImageRequest,
): AnswerPlace {
  const place = answersUnderWay.enter(id, request);
  if (place) return place;
  const message = 'The service makes as many pictures as it has memory for. Try again.';
  throw new ServiceError('rate_limit', message, { retryAfterSeconds: 1 });
}

interface Admitting extends OfferedRequest {
  place: AnswerPlace;
  /** To be called as its run starts, which counts from then on. */
  endAdmission: () => void;
}

async function admitAndStart(
  services: ImageServices,
  { caller, model, routes, request, hints, place, endAdmission }: Admitting,
): Promise<ImageRun | null> {
  const settings = await services.settings.current();
  const admission = admissionOf(request, { services, caller, model, settings, hints });
  // If the database fails while it admits, a hold may be open all the same: the sweep ends it.
  const outcome = await admitTold(services, admission);
  if (outcome.kind === 'key_taken') return null;
  throwIfRefused(outcome, admission.slotsMax);
  if (services.runs.closed) throw await giveBack(services, hints.traceId);
  const { deadlineMs, streamDeadlineMs, attemptsMax } = services.limits;
  endAdmission();
  return services.runs.start({
    traceId: hints.traceId,
    note: hints.note,
    userId: caller.userId,
    apiKeyId: caller.apiKeyId,
    idempotencyKey: hints.idempotencyKey,
    place,
    abandonedMax: settings.abandonedRequestsPerUser,
    ...(hints.onPicturesDropped && { onPicturesDropped: hints.onPicturesDropped }),
    request,
    unitPrice: admission.unitPrice,
    lowBalance: lowBalanceOf(settings),
    routes,
    deadlineMs: request.stream ? streamDeadlineMs : deadlineMs,
    attemptsMax,
  });
}

async function admitTold(
  { db, clock, watch }: ImageServices,
  admission: Admission,
): Promise<AdmitOutcome> {
  const begunAtMs = clock.now();
  const outcome = await admit(db, clock, admission).catch(orTryAgain);
  const amount = multiplyAmount(admission.unitPrice, admission.images);
  const { traceId } = admission;
  watch.onAdmit({ traceId, outcome: outcome.kind, amount, begunAtMs, endedAtMs: clock.now() });
  return outcome;
}

/** What the database gave up has not happened. Somebody who reads could ask for less; this caller can only try again. */
function orTryAgain(error: unknown): never {
  if (!isTooSlow(error)) throw error;
  const message =
    'The database takes too long to admit this request. Nothing was charged. Try again.';
  throw new ServiceError('unavailable', message, { retryAfterSeconds: 5, cause: error });
}

const releaseTriesMax = 3;

/** The service was told to stop while this request was being admitted. */
async function giveBack({ db, clock }: ImageServices, traceId: string): Promise<ServiceError> {
  const ending: Release = { traceId, status: 'failed', code: 'unavailable', attempts: '[]' };
  await releaseSurely(db, clock, ending, releaseTriesMax);
  return stoppingError();
}

function admissionOf(
  request: ImageRequest,
  {
    services,
    caller,
    model,
    settings,
    hints,
  }: {
    services: ImageServices;
    caller: KeyAccess;
    model: Model;
    settings: Settings;
    hints: RequestHints;
  },
): Admission {
  const { traceId, idempotencyKey } = hints;
  return {
    traceId,
    processId: services.processId,
    userId: caller.userId,
    apiKeyId: caller.apiKeyId,
    keyZone: caller.zone,
    slotsMax: caller.slotsMax ?? settings.slotsPerUser,
    model: model.id,
    operation: request.operation,
    images: request.n,
    unitPrice: must(model.price, 'the price of an available model'),
    stream: request.stream,
    size: request.size,
    quality: request.quality,
    outputFormat: request.outputFormat,
    asked: askedFormOf(request),
    idempotency:
      idempotencyKey === null
        ? null
        : { key: idempotencyKey, fingerprint: services.secretBox.mark(fingerprintOf(request)) },
  };
}
