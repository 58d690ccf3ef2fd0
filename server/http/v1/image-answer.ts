/** From a run to the answer on one connection: waits for what comes of it, and sends that as JSON or as a stream. */
import type { FastifyReply } from 'fastify';
import { formatAmount } from '../../../shared/money.ts';
import type {
  AnswerableRun,
  RunOutcome,
  RunResult,
} from '../../flows/requests/runs/answerable-run.ts';
import type { RunCaller } from '../../flows/requests/runs/run-caller.ts';
import { returnedError } from '../../flows/requests/runs/run-error.ts';
import type { ImageRequest } from '../../images/image-request.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { readWhatIsHere } from '../../lib/read-what-is-here.ts';
import type { ServiceError } from '../../lib/service-error.ts';
import { isHandedOver } from '../connections/handed-over.ts';
import { headersOf, takeOver } from '../connections/take-over.ts';
import { errorBody, toServiceError } from '../errors.ts';
import { EventStream } from '../event-stream.ts';
import { noteFailure } from '../failures.ts';
import { cutSlowReader, cutStalledReader } from './cut-unread-answer.ts';
import { completedEvent, imagesResponse, type MoneyShown, partialEvent } from './present-image.ts';

export interface AnswerDeps {
  clock: Clock;
  log: Logger;
  keepAliveMs: number;
  /** How long a caller may take nothing of its answer. */
  deliveryTimeoutMs: number;
}

/** What callers of a stream are promised besides its events. */
export interface Telling {
  /** When the headers go out at the latest. */
  openAfterMs: number;
  /** Whether the last event has a receipt, which the public API does not have: see `completedEvent`. */
  withReceipt: boolean;
}

/** As the public API promises. A stream without headers can still fail with a status of its own. */
export const publicTelling: Telling = { openAfterMs: 3_000, withReceipt: false };

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

export function answerWithRun(answer: Answer, deps: AnswerDeps): Promise<void> {
  return answer.request.stream ? streamAnswer(answer, deps) : plainAnswer(answer, deps);
}

async function plainAnswer(
  { run, runCaller, request, reply, currency }: Answer,
  { clock, deliveryTimeoutMs }: AnswerDeps,
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
  { clock, deliveryTimeoutMs, keepAliveMs, log }: AnswerDeps,
): Promise<void> {
  cutStalledReader(reply.raw, deliveryTimeoutMs);
  const stream = new EventStream({
    response: reply.raw,
    clock,
    headers: headersOf(reply),
    openAfterMs: telling.openAfterMs,
    keepAliveMs,
  });
  runCaller.onPartial = partialsTo(stream, request, clock);
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
  // That the caller has left may be waiting to be read behind the picture. An error is told at once: when the service
  // stops, there is no time for it later.
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

/** Writes partial images to a stream. */
function partialsTo(
  stream: EventStream,
  request: ImageRequest,
  clock: Clock,
): RunCaller['onPartial'] {
  let shown = 0;
  return (_index, image) => {
    // Of a run that it joined late, the first one that this caller sees is its first; there are never more than asked for.
    const event = partialEvent(partialOf(request, image, { index: shown++, nowMs: clock.now() }));
    const sent = Promise.withResolvers<void>();
    return stream.write(event, sent.resolve) ? sent.promise : null;
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
