import type { ServerResponse } from 'node:http';
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
    options.response.once('close', () => this.#stop.abort());
    void this.#keepAlive();
  }

  /** Whether the headers, and with them the status 200, are out. */
  get opened(): boolean {
    return this.#options.response.headersSent;
  }

  /** Writes one event, given in pieces. False when the client is gone. */
  write(pieces: readonly Buffer[]): boolean {
    const { response } = this.#options;
    if (this.#stop.signal.aborted || response.destroyed) return false;
    this.#open();
    response.cork();
    for (const piece of pieces) response.write(piece);
    response.uncork();
    return true;
  }

  end(): void {
    this.#stop.abort();
    this.#options.response.end();
  }

  /** Stops the comments; for a stream that never opened and is answered in another way. */
  abandon(): void {
    this.#stop.abort();
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

const keepAliveComment = Buffer.from(': keep-alive\n\n');
