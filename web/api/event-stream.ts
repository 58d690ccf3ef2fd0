/** Reads an answer that is a stream of events, by `fetch`: an EventSource cannot send a body. */
import { ApiError, readApiError } from './api-error.ts';
import { apiUrl, consoleHeader, type Query } from './call-api.ts';
import { readEvents } from './read-events.ts';

interface StreamCall {
  method: 'GET' | 'POST';
  /** Behind `/api/console`. */
  path: string;
  query?: Query;
  body?: object;
  /** Closes the connection, which cancels what the service does. */
  signal: AbortSignal;
}

/** Gives the events as they come; ends without a word when the connection ends. */
export async function* streamEvents<Event>(call: StreamCall): AsyncGenerator<Event, void, void> {
  const response = await open(call);
  if (!response.ok || !response.body) throw await readApiError(response);
  yield* readEvents<Event>(response.body);
}

async function open({ method, path, query, body, signal }: StreamCall): Promise<Response> {
  try {
    return await fetch(apiUrl(path, query), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        accept: 'text/event-stream',
        ...consoleHeader,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new ApiError({
      code: 'unreachable',
      message: 'The service cannot be reached.',
      cause: error,
    });
  }
}
