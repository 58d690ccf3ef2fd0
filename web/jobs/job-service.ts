/** What a job asks of the service. */
import type { CancelAnswer } from '../../shared/console/playground.ts';
import type { SettledState } from '../../shared/console/trace.ts';
import { ApiError, readApiError } from '../api/api-error.ts';
import { api, apiUrl, consoleHeaders } from '../api/call-api.ts';
import { type FinishedImage, readImageStream, StreamCut } from '../api/image-stream.ts';
import { waitAtGate } from '../api/session-gate.ts';
import { bodyOf, type ImageOrder } from './image-order.ts';

export interface JobService {
  /**
   * Sends an image request and answers with its picture. Rejects with an ApiError when the service answered with one,
   * and with StreamCut when the connection ended before, so that nobody knows what became of the request.
   */
  send(order: ImageOrder, wish: SendWish): Promise<FinishedImage>;
  /** Stops a request that was sent with this key. */
  cancel(key: string): Promise<CancelAnswer>;
  readState(traceId: string): Promise<SettledState>;
}

export interface SendWish {
  key: string;
  /** Whether it asks for the answer of a request that is known to have arrived: where that ended without one, nothing is made. */
  isRepeat: boolean;
  signal: AbortSignal;
  /** As soon as the headers are there. */
  onOpened: (traceId: string) => void;
  onPartial: (image: Blob) => void;
}

export const jobService: JobService = {
  send,
  cancel: (key) => api.post<CancelAnswer>('/images/cancel', { idempotency_key: key }),
  readState: (traceId) => api.get<SettledState>(`/requests/${encodeURIComponent(traceId)}`),
};

async function send(order: ImageOrder, wish: SendWish): Promise<FinishedImage> {
  const response = await post(order, wish);
  const traceId = response.headers.get('x-request-id');
  if (!response.ok) {
    const error = await readApiError(response);
    if (error.code === 'unauthorized' && (await waitAtGate('sign_in'))) return send(order, wish);
    // A proxy that answers for the service does not know whether the request arrived.
    if (error.code === 'unreachable') throw new StreamCut(error);
    throw error;
  }
  if (traceId !== null) wish.onOpened(traceId);
  if (!response.body) throw new StreamCut();
  return readImageStream(response.body, (_index, image) => wish.onPartial(image));
}

/** A request of which no answer came may have arrived all the same. */
async function post(order: ImageOrder, { key, isRepeat, signal }: SendWish): Promise<Response> {
  const { body, contentType } = bodyOf(order);
  const path = order.operation === 'generation' ? '/images/generations' : '/images/edits';
  try {
    return await fetch(apiUrl(path), {
      method: 'POST',
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        accept: 'text/event-stream',
        'idempotency-key': key,
        ...(isRepeat ? { 'x-tintype-repeat': '1' } : {}),
        ...consoleHeaders(),
        ...(contentType === null ? {} : { 'content-type': contentType }),
      },
      body,
      signal,
    });
  } catch (error) {
    throw new StreamCut(error);
  }
}

/** Whether the service says that the answer of this key's request is no longer to be had, or that there never was one. */
export function isAnswerGone(error: unknown): boolean {
  return error instanceof ApiError && error.param === 'Idempotency-Key';
}

/** Whether there is nobody on this page whose request it could be: it may be somebody's who signs in later. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthorized';
}

/** Whether a request was refused before anything began: then nothing was charged, and there is no record to look up. */
export function wasRefused({ code }: ApiError): boolean {
  return refusals.has(code);
}

const refusals: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'unauthorized',
  'insufficient_quota',
  'model_unavailable',
  'forbidden',
  'too_large',
]);

/**
 * Whether to ask again. Such an answer, or none, says nothing about the image request itself: that may still be
 * running and be charged, so the job must not give it up.
 */
export function isPassing(thrown: unknown): boolean {
  if (thrown instanceof StreamCut) return true;
  return thrown instanceof ApiError && passing.has(thrown.code);
}

const passing: ReadonlySet<ApiError['code']> = new Set([
  'unreachable',
  'unreadable',
  'unavailable',
  'rate_limit',
  'internal_error',
]);
