/**
 * HTTP/1.1 to the service's own origins, for answers that are large: each read of a socket goes into
 * one buffer of the process, and whoever reads the answer copies from it to where the bytes are to
 * stay. Why there is such a thing: docs/decisions/2026-11-22-an-http-client-of-our-own.md.
 */
import { Http1Connection } from './http1-connection.ts';
import type { Http1Head } from './http1-head.ts';
import type { Http1Request } from './http1-request-writer.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { OutgoingError } from './outgoing-error.ts';

/** How long a connection waits for its next request where the service does not say what it allows. */
const keepAliveDefaultMs = 4_000;
const keepAliveMsMax = 600_000;
/** Left of what the service allows, so that no request meets a connection that is being closed. */
const keepAliveMarginMs = 2_000;
/**
 * Kept for later requests to one origin. A busy upstream takes them again at once, so that only as
 * many wait as end in the same moment; what waits beyond that is left from a burst.
 */
export const idleConnectionsMax = 256;

export interface Http1ClientOptions {
  firstByteMs: number;
  idleMs: number;
}

export class Http1Client {
  readonly #options: Http1ClientOptions;
  /** By origin; the one that was used last at the end. */
  readonly #idle = new Map<string, Http1Connection[]>();
  /** The last of each origin, to resume. */
  readonly #sessions = new Map<string, Buffer>();
  readonly #closed = Promise.withResolvers<void>();
  #running = 0;
  #isClosing = false;

  constructor(options: Http1ClientOptions) {
    this.#options = options;
  }

  /** Rejects with an OutgoingError or the signal's reason. */
  async send(url: URL, request: Http1Request, signal: AbortSignal): Promise<OutgoingAnswer> {
    signal.throwIfAborted();
    if (this.#isClosing) throw new OutgoingError('connect', 'the connections have been closed');
    this.#running++;
    let connection: Http1Connection;
    try {
      connection = this.#takeIdle(url) ?? (await this.#open(url, signal));
    } catch (error) {
      this.#noteEnd();
      throw error;
    }
    return await connection.run(request, signal, (head) => this.#onEnd(url, connection, head));
  }

  /** Takes nothing new; resolves when what runs has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const connections of this.#idle.values()) {
      for (const connection of connections) connection.destroy();
    }
    this.#idle.clear();
    if (this.#running === 0) this.#closed.resolve();
    await this.#closed.promise;
  }

  #takeIdle(url: URL): Http1Connection | null {
    const idle = this.#idle.get(url.origin) ?? [];
    for (let last = idle.pop(); last; last = idle.pop()) {
      // It may be closed already without having told so.
      if (last.isUsable) return last;
    }
    return null;
  }

  #open(url: URL, signal: AbortSignal): Promise<Http1Connection> {
    return Http1Connection.open({
      ...this.#options,
      url,
      signal,
      sessions: this.#sessions,
      onGone: (gone) => this.#forget(url, gone),
    });
  }

  #onEnd(url: URL, connection: Http1Connection, head: Http1Head | null): void {
    this.#noteEnd();
    const idleMs = head && Math.min(idleMsOf(head), keepAliveMsMax);
    if (idleMs === null || idleMs <= 0 || this.#isClosing) {
      connection.destroy();
      return;
    }
    connection.rest(idleMs);
    // Services that close behind an answer without saying so in it do it at once. What they have done
    // by now is seen within the next turn of the event loop.
    setImmediate(() => setImmediate(() => this.#keep(url, connection)));
  }

  #keep(url: URL, connection: Http1Connection): void {
    if (!connection.isUsable || this.#isClosing) {
      connection.destroy();
      return;
    }
    const idle = this.#idle.get(url.origin) ?? [];
    this.#idle.set(url.origin, idle);
    idle.push(connection);
    if (idle.length > idleConnectionsMax) idle.shift()?.destroy();
  }

  #noteEnd(): void {
    this.#running--;
    if (this.#isClosing && this.#running === 0) this.#closed.resolve();
  }

  #forget(url: URL, gone: Http1Connection): void {
    const idle = this.#idle.get(url.origin);
    const index = idle?.indexOf(gone) ?? -1;
    if (index !== -1) idle?.splice(index, 1);
  }
}

function idleMsOf({ keepAliveMs }: Http1Head): number {
  return keepAliveMs === null ? keepAliveDefaultMs : keepAliveMs - keepAliveMarginMs;
}
