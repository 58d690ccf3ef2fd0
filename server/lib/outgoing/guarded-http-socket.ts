import type { Duplex } from 'node:stream';
import { type Dispatcher, WebSocket } from 'undici';
import { OutgoingError, outgoingErrorOf } from './outgoing-error.ts';

export interface SocketOptions {
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** Resolves once the WebSocket is open; the signal ends it at any time, without a farewell. */
export function openSocket(
  url: URL,
  options: SocketOptions,
  dispatcher: Dispatcher,
): Promise<WebSocket> {
  const { signal, headers = {} } = options;
  if (signal.aborted) return Promise.reject(signal.reason);
  const opening = watchOpening(dispatcher);
  const socket = new WebSocket(url, {
    headers: { 'user-agent': 'tintype', ...headers },
    dispatcher: opening.dispatcher,
  });
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason);
      opening.connection?.destroy();
      socket.close();
    };
    signal.addEventListener('abort', leave, { once: true });
    socket.addEventListener('open', () => resolve(socket));
    socket.addEventListener('close', () => {
      signal.removeEventListener('abort', leave);
      reject(failureOf(opening));
    });
  });
}

/** What a WebSocket keeps to itself: why it did not open, and what it runs on. */
interface Opening {
  dispatcher: Dispatcher;
  connection: Duplex | null;
  status: number | null;
  error: unknown;
}

function watchOpening(dispatcher: Dispatcher): Opening {
  const opening: Opening = { dispatcher, connection: null, status: null, error: null };
  opening.dispatcher = dispatcher.compose((dispatch) => {
    return (options, handler) => dispatch(options, watchHandler(handler, opening));
  });
  return opening;
}

function watchHandler(
  handler: Dispatcher.DispatchHandler,
  opening: Opening,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...start) => handler.onRequestStart?.(...start),
    onRequestSent: () => handler.onRequestSent?.(),
    onRequestUpgrade(...upgrade) {
      opening.connection = upgrade[3];
      return handler.onRequestUpgrade?.(...upgrade);
    },
    onResponseStarted: () => handler.onResponseStarted?.(),
    onResponseStart(...start) {
      opening.status = start[1];
      handler.onResponseStart?.(...start);
    },
    onResponseData: (...data) => handler.onResponseData?.(...data),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError(controller, error) {
      opening.error ??= error;
      handler.onResponseError?.(controller, error);
    },
  };
}

function failureOf({ status, error }: Opening): OutgoingError {
  if (status !== null) return new OutgoingError('connect', `answered with status ${status}`);
  const failure = outgoingErrorOf(error);
  if (failure.problem === 'slow' || failure.problem === 'connect') return failure;
  return new OutgoingError('connect', 'it did not become a WebSocket');
}
