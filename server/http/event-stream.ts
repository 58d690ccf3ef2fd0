import type { ServerResponse } from 'node:http';
import { must } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';

export interface EventStreamOptions {
  response: ServerResponse;
  clock: Clock;
  headers: Record<string, string>;
  /** When the headers go out at the latest, so that the client knows the request is alive. */
  openAfterMs: number;
  /** How often a comment keeps the connection from looking idle. */
  keepAliveMs: number;
}

/**
 * Server-sent events to one client. Only comments keep the connection alive, and there are no `id:`
 * or `retry:` lines: official SDKs stumble over anything else.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #stop = new AbortController();

  constructor(options: EventStreamOptions) {
    this.#options = options;
    const { response } = options;
    // Of a client that has left already, `close` is not told again.
    if (response.destroyed) this.#stop.abort();
    else response.once('close', () => this.#stop.abort());
    void this.#keepAlive();
  }

  /** Whether the headers, and with them the status 200, are out. */
  get opened(): boolean {
    return this.#options.response.headersSent;
  }

  /**
   * Writes one event, given in pieces. False when the client is gone.
   *
   * @param onSent called when the memory of the pieces is needed no more; it may never come to that
   * when the client leaves
   */
  write(pieces: readonly Buffer[], onSent?: () => void): boolean {
    const { response } = this.#options;
    if (this.#stop.signal.aborted || response.destroyed) return false;
    this.#inOneGo(() => {
      this.#open();
      response.cork();
      for (const piece of pieces.slice(0, -1)) response.write(piece);
      // The connection is done with the pieces in their order.
      response.write(must(pieces.at(-1), 'an event'), () => onSent?.());
      response.uncork();
    });
    return true;
  }

  /** Writes the last event, if there is one, and the end of the stream. As {@link write} otherwise. */
  end(pieces: readonly Buffer[] | null = null): boolean {
    return this.#inOneGo(() => {
      const isWritten = pieces !== null && this.write(pieces);
      this.#stop.abort();
      this.#options.response.end();
      return isWritten;
    });
  }

  /** Stops the comments; for a stream that never opened and is answered in another way. */
  abandon(): void {
    this.#stop.abort();
  }

  /**
   * One system call for all that is written. What keeps the pieces of a response together, so that
   * they are one chunk, writes the chunk to the socket piece by piece.
   */
  #inOneGo<T>(work: () => T): T {
    const { socket } = this.#options.response;
    socket?.cork();
    try {
      return work();
    } finally {
      socket?.uncork();
    }
  }

  #open(): void {
    const { headers, response } = this.#options;
    if (response.headersSent) return;
    response.writeHead(200, {
      'cache-control': 'no-cache, no-transform',
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
  }

  async #keepAlive(): Promise<void> {
    const { clock, keepAliveMs, openAfterMs } = this.#options;
    try {
      await clock.sleep(openAfterMs, this.#stop.signal);
      for (;;) {
        this.write([keepAliveComment]);
        await clock.sleep(keepAliveMs, this.#stop.signal);
      }
    } catch {
      // The stream ended or its client left.
    }
  }
}

/**
 * A line without a blank one behind it. Comments need none, and some clients take every blank line for the end of an
 * event and fail on its data, which there are none of: OpenAI's SDK for Go did for years.
 */
const keepAliveComment = Buffer.from(': keep-alive\n');
