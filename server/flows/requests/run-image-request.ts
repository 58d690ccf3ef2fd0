/**
 * The life of an image request from a valid request to a run that makes its pictures: known model,
 * available, not a repeat, a slot and the money free. What is refused here costs nothing.
 */
import { multiplyAmount } from '../../../shared/money.ts';
import type { KeyAccess } from '../../accounts/api-key.ts';
import type { Catalog, Route } from '../../catalog/catalog.ts';
import type { CatalogCache } from '../../catalog/catalog-cache.ts';
import type { Model } from '../../catalog/model.ts';
import { isTooSlow } from '../../db/database-error.ts';
import type { Db } from '../../db/db.ts';
import {
  fingerprintOf,
  type GivenRequest,
  type ImageRequest,
  qualityAllowed,
  type ReadRequest,
} from '../../images/image-request.ts';
import { must } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { lowBalanceOf, type Settings } from '../../settings/settings.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { AdapterPool } from '../../upstreams/adapter-pool.ts';
import { releaseSurely } from '../money/end-hold.ts';
import { type Admission, type AdmitOutcome, admit, type Release } from '../money/hold-money.ts';
import type { AnswerableRun } from './answerable-run.ts';
import type { AnswerPlace, AnswersUnderWay } from './answers-under-way.ts';
import { askedFormOf } from './asked-form.ts';
import { chooseRoutes } from './attempts/choose-routes.ts';
import { joinEarlierRun, waitForKey } from './earlier-run.ts';
import type { ImageRun } from './image-run.ts';
import type { ImageRuns } from './image-runs.ts';
import { throwIfRefused } from './refused-admission.ts';
import type { RunCaller } from './run-caller.ts';
import { stoppingError } from './run-error.ts';
import type { RunNote, RunWatch } from './run-watch.ts';
import type { SiblingRuns } from './siblings/sibling-runs.ts';
import { throwIfFull } from './throw-if-full.ts';

export interface ImageServices {
  db: Db;
  clock: Clock;
  catalog: CatalogCache;
  settings: SettingsCache;
  adapters: AdapterPool;
  runs: ImageRuns;
  /** Those of the other processes of the service; null where there are none that can be reached. */
  siblings: SiblingRuns | null;
  /** What is kept of a request with an Idempotency-Key is marked with it. */
  secretBox: Pick<SecretBox, 'mark' | 'isMarkOf'>;
  answersUnderWay: AnswersUnderWay;
  watch: RunWatch;
  /** The running process, whose lease keeps its holds alive. */
  processId: string;
  limits: RunLimits;
}

export interface RunLimits {
  /** Requests under way in this process. */
  requestsMax: number;
  deadlineMs: number;
  streamDeadlineMs: number;
  /** Attempts per picture. */
  attemptsMax: number;
}

/** What the connection says of itself. */
export interface RequestHints {
  traceId: string;
  idempotencyKey: string | null;
  /** Whether the client says that it sends this request again. */
  isRetry: boolean;
  /** Whether it asks for the answer of an earlier request alone: where its key stands for none, nothing starts. */
  isRepeatOnly: boolean;
  note: RunNote;
  /** Attached to the run that is answered with, from the moment it is known. */
  runCaller: RunCaller;
  /** Aborts when the connection closes. */
  gone: AbortSignal;
  /** Closes it. */
  cut: () => void;
  /** See `StartInput`; not called for a request whose run was there already, or that is refused. */
  onPicturesDropped?: (areRead: boolean) => void;
}

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
  const { model, routes } = offer;
  throwIfFull(services);
  const place = enterOrThrow(services, model, request);
  const endAdmission = services.runs.beginAdmission();
  const admitting = { caller, model, routes, request, hints, place, endAdmission };
  let run: ImageRun | null = null;
  try {
    run = await admitAndStart(services, admitting);
  } finally {
    endAdmission();
    if (!run) place.leave([]);
  }
  if (run) {
    run.attach(hints.runCaller);
    return { run, replayed: false };
  }
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

interface Admitting {
  caller: KeyAccess;
  model: Model;
  routes: readonly Route[];
  request: ImageRequest;
  hints: RequestHints;
  place: AnswerPlace;
  /** To be called as its run starts, which counts from then on. */
  endAdmission: () => void;
}

/** Null when the request's Idempotency-Key stands for another one. */
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

/** What the database gave up has not happened. Here that is no reason to ask for less, as it is where somebody reads. */
function orTryAgain(error: unknown): never {
  if (!isTooSlow(error)) throw error;
  const message =
    'The database takes too long to admit this request. Nothing was charged. Try again.';
  throw new ServiceError('unavailable', message, { retryAfterSeconds: 5, cause: error });
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

type Offer =
  | { model: Model; routes: readonly Route[]; refusal?: never }
  | { refusal: ServiceError };

/** The model that is asked for, and the routes that can do what is asked; or why there are none. */
function findOffer(
  { adapters }: ImageServices,
  { catalog, caller, request }: { catalog: Catalog; caller: KeyAccess; request: ImageRequest },
): Offer {
  try {
    const model = findModel(catalog, caller, request);
    const choice = { request, adapters, random: Math.random };
    return { model, routes: chooseRoutes(availableRoutes(catalog, model), choice) };
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: error };
    throw error;
  }
}

/** A model that this key may not use answers like one that does not exist. */
function findModel(catalog: Catalog, caller: KeyAccess, request: ImageRequest): Model {
  const model = catalog.model(request.model);
  if (!model || (caller.models && !caller.models.includes(model.id))) {
    throw invalidRequest('model', 'There is no such model. GET /v1/models lists the usable ones.');
  }
  if (!qualityAllowed(request.quality, model.extendedQualities)) {
    throw invalidRequest(
      'quality',
      'This model takes the qualities auto, low, medium and high; xhigh and max need a 2.5 model.',
    );
  }
  return model;
}

function availableRoutes(catalog: Catalog, model: Model) {
  if (catalog.isAvailable(model.id)) return catalog.routesOf(model.id);
  throw new ServiceError(
    'model_unavailable',
    'This model has no enabled price or is not selected in an upstream. An administrator can change that.',
    { param: 'model', retryable: false },
  );
}
