/** What a job asks of the service. */
import type { CancelAnswer } from '../../shared/console/playground.ts';
import type { SettledState } from '../../shared/console/trace.ts';
import { ApiError, readApiError } from '../api/api-error.ts';
import { api, apiUrl, consoleHeaders } from '../api/call-api.ts';
import { type FinishedImage, readImageStream, StreamCut } from '../api/image-stream.ts';
import { waitAtGate } from '../api/session-gate.ts';
import { bodyOf, type ImageOrder } from './image-order.ts';

export interface JobService {
  /** Rejects with an ApiError when the service refused, with StreamCut when nobody knows. */
  send(order: ImageOrder, wish: SendWish): Promise<FinishedImage>;
  /** Stops a request that was sent with this key. */
  cancel(key: string): Promise<CancelAnswer>;
  readState(traceId: string): Promise<SettledState>;
}

export interface SendWish {
  key: string;
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
async function post(order: ImageOrder, { key, signal }: SendWish): Promise<Response> {
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

/** What the service says of a key whose answer it no longer has: charged once, and gone. */
export function isAnswerGone(error: unknown): boolean {
  return error instanceof ApiError && error.param === 'Idempotency-Key';
}

/** Before anything began: there is nothing to look up, and nothing that could have been charged. */
export function wasRefused({ code }: ApiError): boolean {
  return refusals.has(code);
}

const refusals: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'unauthorized',
  'insufficient_quota',
  'model_unavailable',
  'forbidden',
]);

/**
 * What may be different at the next try. An answer that is not ours, or not a good one, says nothing of
 * the request: that may go on and be charged, so it is not given up for it.
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
