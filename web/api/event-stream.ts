/** Reads an answer that is a stream of events, by `fetch`: an EventSource cannot send a body. */
import { readApiError } from './api-error.ts';
import { type Call, send } from './call-api.ts';
import { readEvents } from './read-events.ts';

interface StreamCall extends Omit<Call, 'accept'> {
  /** Closes the connection, which cancels what the service does. */
  signal: AbortSignal;
}

/** Gives the events as they come; ends without a word when the connection ends. */
export async function* streamEvents<Event>(call: StreamCall): AsyncGenerator<Event, void, void> {
  const response = await send({ ...call, accept: 'text/event-stream' });
  if (!response.ok || !response.body) throw await readApiError(response);
  yield* readEvents<Event>(response.body);
}
