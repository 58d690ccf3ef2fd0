import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../../shared/image-options.ts';
import { formatAmount } from '../../../shared/money.ts';
import type { KeyAccess } from '../../accounts/api-key.ts';
import type { AnswerableRun, RunOutcome, RunResult } from '../../flows/requests/answerable-run.ts';
import type { Refusal } from '../../flows/requests/refused-record.ts';
import type { RunCaller } from '../../flows/requests/run-caller.ts';
import { returnedError } from '../../flows/requests/run-error.ts';
import {
  type ImageServices,
  runImageRequest,
  type StartedRun,
} from '../../flows/requests/run-image-request.ts';
import type { GivenRequest, ImageRequest, ReadRequest } from '../../images/image-request.ts';
import type { Logger } from '../../lib/logger.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { readWhatIsHere } from '../../lib/read-what-is-here.ts';
import type { ServiceError } from '../../lib/service-error.ts';
import { errorBody, recordCodeOf, toServiceError } from '../errors.ts';
import { EventStream } from '../event-stream.ts';
import { noteFailure } from '../failures.ts';
import { isHandedOver } from '../handed-over.ts';
import { factsOf } from '../request-facts.ts';
import { headersOf, takeOver } from '../take-over.ts';
import { cutSlowReader, cutStalledReader } from './cut-unread-answer.ts';
import { completedEvent, imagesResponse, type MoneyShown, partialEvent } from './present-image.ts';
import { type ReadDeps, readEdit, readGeneration } from './read-image-request.ts';
import { readHints } from './request-hints.ts';
import { UploadMemory, type UploadPlace } from './upload-memory.ts';

export interface ImageRouteDeps {
  services: ImageServices;
  read: ReadDeps;
  noteRefusal: (refusal: Refusal) => void;
  log: Logger;
  keepAliveMs: number;
  uploads: UploadPlace;
  /** How long a caller may take nothing of its answer. */
  deliveryTimeoutMs: number;
}

/** How long a stream may stay without headers: an early failure then still has its own status. */
const streamOpenAfterMs = 3_000;

interface ImageCall {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: KeyAccess;
  /** Checks the caller's key or session again, once the body is there; throws when it is no longer valid. */
  admitAgain: () => Promise<unknown>;
  /** See `RequestHints`; the public API has no such thing. */
  isRepeatOnly?: boolean;
  /** When a stream's headers go out and what its last event says; as the public API promises unless given. */
  telling?: Telling;
}

export interface Telling {
  /** When its headers go out at the latest. */
  openAfterMs: number;
  /** Whether its last event has a receipt, which the public API does not have: see `completedEvent`. */
  withReceipt: boolean;
}

const publicTelling: Telling = { openAfterMs: streamOpenAfterMs, withReceipt: false };

/** Answers `POST /v1/images/generations` and `POST /v1/images/edits` for a caller that is known. */
export async function answerImageRequest(
  operation: Operation,
  call: ImageCall,
  deps: ImageRouteDeps,
): Promise<void> {
  const begunAt = deps.services.clock.monotonic();
  const { currency } = await deps.services.settings.current();
  // Nothing may be awaited between the run's start and the wait for it: a connection that closes in between would go
  // unnoticed, and the run would go on for nobody.
  const started = await begin(operation, call, deps);
  const { reply } = call;
  const { run, replayed } = started;
  if (replayed) reply.header('idempotent-replayed', 'true').header('x-request-id', run.traceId);
  const { telling = publicTelling } = call;
  const answer = { ...started, reply, currency, telling, begunAt: replayed ? null : begunAt };
  await (started.request.stream ? streamAnswer(answer, deps) : plainAnswer(answer, deps));
}

/** Reads the request and starts its run, or finds the one it repeats. What is refused is recorded. */
async function begin(
  operation: Operation,
  { request, reply, caller, admitAgain, isRepeatOnly = false }: ImageCall,
  deps: ImageRouteDeps,
): Promise<StartedRun & { request: ImageRequest; runCaller: RunCaller }> {
  let given: GivenRequest | null = null;
  let model: string | null = null;
  let memory: UploadMemory | null = null;
  const { userId, apiKeyId } = caller;
  const runCaller = callerOf(request.raw.socket);
  Object.assign(factsOf(request), { userId, apiKeyId, operation });
  try {
    const hints = readHints(request, reply);
    memory = new UploadMemory({ ...deps.uploads, gone: hints.gone });
    const read = operation === 'generation' ? readGeneration : readEdit;
    const onModel = (name: string) => {
      model = name;
    };
    const asked = await read(request.raw, { ...deps.read, onModel, memory });
    given = asked.request;
    // A body may take minutes.
    await admitAgain();
    const onPicturesDropped = (areRead: boolean) => (areRead ? memory?.end() : memory?.free());
    const admitted = fetchingAdmitted(asked, admitAgain);
    const started = await runImageRequest(deps.services, caller, admitted, {
      ...hints,
      isRepeatOnly,
      runCaller,
      onPicturesDropped,
    });
    // The run of which this is a repeat has its own.
    if (started.replayed) memory.free();
    return {
      ...started,
      runCaller,
      request: { ...asked.request, referenceImages: [], mask: null },
    };
  } catch (thrown) {
    // No run has begun that could read what was sent.
    memory?.free();
    const error = toServiceError(thrown);
    const code = endOf(reply, deps) ?? recordCodeOf(error);
    deps.noteRefusal({ traceId: request.id, caller, operation, request: given, model, code });
    throw error;
  }
}

/** Fetching pictures may take minutes as well. */
function fetchingAdmitted(asked: ReadRequest, admitAgain: ImageCall['admitAgain']): ReadRequest {
  const { fetchPictures } = asked;
  if (!fetchPictures) return asked;
  const fetchAdmitted = async () => {
    const whole = await fetchPictures();
    await admitAgain();
    return whole;
  };
  return { ...asked, fetchPictures: fetchAdmitted };
}

/** Who ended the connection before it had an answer; null where nobody did. */
function endOf(
  reply: FastifyReply,
  { services: { runs } }: ImageRouteDeps,
): 'interrupted' | 'client_gone' | null {
  if (!reply.raw.destroyed) return null;
  return runs.isCutOff ? 'interrupted' : 'client_gone';
}

/** The connection, as one that takes no partial images: a stream says later how it takes them. */
function callerOf(socket: Socket): RunCaller {
  return {
    onPartial: () => null,
    hasLeft: () => socket.readableEnded || socket.errored !== null,
  };
}

interface Answer {
  run: AnswerableRun;
  runCaller: RunCaller;
  request: ImageRequest;
  reply: FastifyReply;
  currency: string;
  telling: Telling;
  /** When the request came; null for a repeat, whose time says nothing. */
  begunAt: number | null;
}

async function plainAnswer(
  { run, runCaller, request, reply, currency }: Answer,
  { deliveryTimeoutMs, services: { clock } }: ImageRouteDeps,
): Promise<void> {
  const outcome = await waitUntilDone(run, reply, runCaller);
  if (isGone(reply, runCaller)) return;
  if (outcome.kind === 'failed') throw outcome.error;
  const withheld = await whyWithheld(run, reply);
  if (isGone(reply, runCaller)) return;
  if (withheld) throw withheld;
  const { result } = outcome;
  const pieces = imagesResponse(result, request.responseFormat);
  const response = takeOver(reply);
  response.writeHead(200, {
    ...headersOf(reply),
    ...moneyHeaders(moneyOf(result, currency)),
    'content-type': 'application/json; charset=utf-8',
    'content-length': pieces.reduce((sum, piece) => sum + piece.length, 0),
  });
  response.cork();
  for (const piece of pieces) response.write(piece);
  markWhenHandedOver(run, response);
  response.end();
  cutStalledReader(response, deliveryTimeoutMs);
  cutSlowReader(response, { clock, timeoutMs: deliveryTimeoutMs });
}

async function streamAnswer(
  { run, runCaller, request, reply, currency, telling, begunAt }: Answer,
  { keepAliveMs, deliveryTimeoutMs, log, services: { clock } }: ImageRouteDeps,
): Promise<void> {
  cutStalledReader(reply.raw, deliveryTimeoutMs);
  const stream = new EventStream({
    response: reply.raw,
    clock,
    headers: headersOf(reply),
    openAfterMs: telling.openAfterMs,
    keepAliveMs,
  });
  let shown = 0;
  runCaller.onPartial = (_index, image) => {
    // Of a run that it joined late, the first one that this caller sees is its first; there are never more than asked for.
    const event = partialEvent(partialOf(request, image, { index: shown++, nowMs: clock.now() }));
    const sent = Promise.withResolvers<void>();
    return stream.write(event, sent.resolve) ? sent.promise : null;
  };
  const outcome = await waitUntilDone(run, reply, runCaller);
  if (outcome.kind === 'failed') {
    endWithError(stream, reply, { error: outcome.error, traceId: run.traceId, log });
    return;
  }
  if (isGone(reply, runCaller)) return;
  const withheld = await whyWithheld(run, reply);
  if (isGone(reply, runCaller)) return;
  if (withheld) {
    endWithError(stream, reply, { error: withheld, traceId: run.traceId, log });
    return;
  }
  const { operation, responseFormat } = request;
  const money = moneyOf(outcome.result, currency);
  const durationMs = begunAt === null ? null : Math.round(clock.monotonic() - begunAt);
  const receipt = telling.withReceipt ? { durationMs } : null;
  const response = takeOver(reply);
  const ending = { operation, responseFormat, money, receipt };
  if (stream.end(completedEvent(outcome.result, ending))) {
    markWhenHandedOver(run, response);
    cutSlowReader(response, { clock, timeoutMs: deliveryTimeoutMs });
  }
}

/** Whether the connection has ended, closed or not: nothing more is written to it. */
function isGone(reply: FastifyReply, runCaller: RunCaller): boolean {
  if (!reply.raw.destroyed && !runCaller.hasLeft()) return false;
  takeOver(reply);
  return true;
}

/** Why a picture that was charged must not be sent; null when it may be. */
async function whyWithheld(run: AnswerableRun, reply: FastifyReply): Promise<ServiceError | null> {
  try {
    return (await run.mayHandOver()) ? null : returnedError(run.traceId);
  } catch (error) {
    if (!reply.raw.destroyed) run.markWithheld('unavailable');
    return toServiceError(error);
  }
}

/** Before the stream has opened an error is an ordinary answer; later it is the stream's last event. */
function endWithError(
  stream: EventStream,
  reply: FastifyReply,
  { error, traceId, log }: { error: ServiceError; traceId: string; log: Logger },
): void {
  if (!stream.opened) {
    stream.abandon();
    if (!reply.raw.destroyed) throw error;
  }
  if (!reply.raw.destroyed) noteFailure(reply.request, error, log);
  takeOver(reply);
  const data = JSON.stringify({ type: 'error', ...errorBody(error, traceId) });
  stream.end([Buffer.from(`event: error\ndata: ${data}\n\n`)]);
}

/** Waits on behalf of this connection, and no longer than it lasts. */
async function waitUntilDone(
  run: AnswerableRun,
  reply: FastifyReply,
  runCaller: RunCaller,
): Promise<RunOutcome> {
  const response = reply.raw;
  const leave = () => run.detach(runCaller, isHandedOver(response));
  if (response.destroyed) leave();
  else response.once('close', leave);
  const outcome = await run.outcome;
  // Whether the caller has left may be read after the picture. An error is told at once: when the service stops, there
  // is no time for it later.
  if (outcome.kind === 'succeeded') await readWhatIsHere();
  return outcome;
}

/**
 * Notes what becomes of an answer. It is handed over as soon as the operating system has all of it: until then a
 * crash of the process would lose the rest, so the charge would be returned. A client that leaves in the middle of
 * it pays, and may come back for the whole.
 */
function markWhenHandedOver(run: AnswerableRun, response: FastifyReply['raw']): void {
  // Before this connection leaves the run, which returns the charge of what nobody took.
  response.prependOnceListener('close', () => {
    if (isHandedOver(response)) run.markDelivered();
    else run.markOffered();
  });
}

function moneyOf({ charged }: RunResult, currency: string): MoneyShown {
  return { ...charged, currency };
}

function moneyHeaders({ cost, balance, currency }: MoneyShown): Record<string, string> {
  return {
    'x-tintype-cost': formatAmount(cost),
    'x-tintype-balance': formatAmount(balance),
    'x-tintype-currency': currency,
  };
}

function partialOf(
  request: ImageRequest,
  image: EncodedImage,
  { index, nowMs }: { index: number; nowMs: number },
) {
  return {
    operation: request.operation,
    responseFormat: request.responseFormat,
    index,
    image,
    format: sniffFormat(image) ?? request.outputFormat,
    size: request.size,
    quality: request.quality,
    background: request.background,
    createdAt: Math.floor(nowMs / 1000),
  };
}
