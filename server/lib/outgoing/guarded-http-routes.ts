/** Which addresses a guarded HTTP talks to, and on what terms. */
import type { WebSocket } from 'undici';
import { assert } from '../assert.ts';
import { askDirectly, isOrdinary } from './guarded-http-direct.ts';
import type { Dispatchers, DispatchOptions } from './guarded-http-dispatch.ts';
import type { SocketOptions } from './guarded-http-socket.ts';
import { leavesHttps, readUrl } from './guarded-url.ts';
import { Http1Client } from './http1-client.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { OutgoingError } from './outgoing-error.ts';
import { type Exchange, orAborted } from './outgoing-request.ts';

const redirectStatuses = [301, 302, 303, 307, 308];
export const redirectsMax = 3;

export interface RouteOptions extends DispatchOptions {
  origins: readonly string[];
}

export class Routes {
  readonly #origins: readonly string[];
  readonly #options: RouteOptions;
  /** For whatever our own client does not send; null until there is something. */
  #dispatchers: Promise<Dispatchers> | null = null;
  #isClosed = false;
  /** For what is the service's own; null where a proxy stands between. */
  readonly #direct: Http1Client | null;

  constructor(options: RouteOptions) {
    assert(options.origins.length > 0, 'the service has an origin');
    this.#origins = options.origins.map((origin) => new URL(origin).origin);
    this.#options = options;
    this.#direct = options.proxy === null ? new Http1Client(options) : null;
  }

  /** A WebSocket's address is compared as that of the HTTP it starts as. */
  isOwn(url: URL): boolean {
    const protocol = { 'ws:': 'http:', 'wss:': 'https:' }[url.protocol] ?? url.protocol;
    return this.#origins.includes(`${protocol}//${url.host}`);
  }

  /** Reads an address that came from data; `from` is the URL that redirected to it. */
  read(text: string, from?: URL): URL {
    const url = readOrForbid(text, from);
    if (from && leavesHttps(from, url)) {
      throw new OutgoingError('forbidden', 'a redirect leads away from https');
    }
    const isPlainService = this.#origins[0]?.startsWith('http:') ?? false;
    if (url.protocol !== 'https:' && !this.isOwn(url) && !isPlainService) {
      throw new OutgoingError('forbidden', 'an address without https');
    }
    return url;
  }

  async ask(wanted: Exchange, signal: AbortSignal): Promise<OutgoingAnswer> {
    const isOwn = this.isOwn(wanted.url);
    const direct = isOwn && isOrdinary(wanted) ? this.#direct : null;
    if (direct) return await askDirectly(direct, wanted, signal);
    const dispatchers = await orAborted(this.#open(), signal);
    return await (isOwn
      ? dispatchers.askOwn(wanted, signal)
      : dispatchers.askForeign(wanted, signal));
  }

  async openSocket(url: URL, options: SocketOptions): Promise<WebSocket> {
    const dispatchers = await orAborted(this.#open(), options.signal);
    return await dispatchers.openSocket(url, options);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // Where they could not be opened there is nothing to close, and whoever asked was told.
    const dispatchers = this.#dispatchers?.then(
      (opened) => opened.close(),
      () => undefined,
    );
    await Promise.all([dispatchers, this.#direct?.close()]);
  }

  async #open(): Promise<Dispatchers> {
    if (this.#isClosed) throw new OutgoingError('connect', 'the connections have been closed');
    this.#dispatchers ??= load(this.#options);
    try {
      return await this.#dispatchers;
    } catch {
      // The next request tries again.
      this.#dispatchers = null;
      throw new OutgoingError('connect', 'the library that connects could not be loaded', {
        isOurs: true,
      });
    }
  }
}

async function load(options: DispatchOptions): Promise<Dispatchers> {
  const { openDispatchers } = await import('./guarded-http-dispatch.ts');
  return openDispatchers(options);
}

/** Where the answer sends us, or null when it is the answer itself. */
export function redirectOf({ status, headers }: OutgoingAnswer): string | null {
  return redirectStatuses.includes(status) ? (headers['location'] ?? null) : null;
}

function readOrForbid(text: string, from?: URL): URL {
  try {
    return readUrl(text, from);
  } catch {
    throw new OutgoingError('forbidden', 'not an address that may be asked');
  }
}
