/** Reads server-sent events as the strictest client would: anything unusual is an error. */

export interface WireEvent {
  /** What the `event:` line says. */
  name: string;
  data: Record<string, unknown>;
}

export interface ReadStream {
  events: WireEvent[];
  /** Texts of the comment lines. */
  comments: string[];
}

/**
 * Each event is one `event:` line and one `data:` line of JSON, closed by a blank line, the last one
 * too. Comments stand between events, without blank lines of their own: those would be events without
 * data. There are no other lines: no `id:`, `retry:` or `[DONE]`.
 */
export function readEventStream(text: string): ReadStream {
  if (/\r/.test(text)) throw new Error('a line ends in CR');
  if (!text.endsWith('\n\n')) throw new Error('the last event is not closed by a blank line');
  const read: ReadStream = { events: [], comments: [] };
  for (const block of text.slice(0, -2).split('\n\n')) {
    const [comments = ''] = /^(?::.*\n)*/.exec(block) ?? [];
    for (const [, comment = ''] of comments.matchAll(/^: ?(.*)\n/gm)) read.comments.push(comment);
    read.events.push(readEvent(block.slice(comments.length)));
  }
  return read;
}

function readEvent(block: string): WireEvent {
  const [, name, data] = /^event: ([a-z_.]+)\ndata: (\{.*\})$/.exec(block) ?? [];
  if (name === undefined || data === undefined) {
    throw new Error(`not an event line and a data line: ${JSON.stringify(block.slice(0, 200))}`);
  }
  // Braces were seen on both ends.
  return { name, data: JSON.parse(data) as Record<string, unknown> };
}
