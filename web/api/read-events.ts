import { EventSourceParserStream } from 'eventsource-parser/stream';

/**
 * A service that sends more without an event's end is not ours. A picture that an upstream gave has
 * up to 67 million of them as base64, and one that was converted for the caller more.
 */
const eventCharactersMax = 128 * 1_048_576;

/**
 * Gives the data of each event of a stream, as JSON; names are repeated within the data. Ends
 * without a word when the connection ends, and cancels it when nobody wants more.
 */
export async function* readEvents<Event>(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Event, void, void> {
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: eventCharactersMax }))
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // The service writes what its schema describes; a proxy that rewrites streams fails here.
      yield JSON.parse(value.data) as Event;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
