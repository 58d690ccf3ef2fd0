/** Which addresses a guarded HTTP talks to, and on what terms. */
import { assert } from './assert.ts';
import type { OutgoingAnswer } from './guarded-http.ts';
import { askDirectly, isOrdinary } from './guarded-http-direct.ts';
import {
  type Dispatchers,
  type DispatchOptions,
  openDispatchers,
} from './guarded-http-dispatch.ts';
import { type Exchange, exchange, orAborted } from './guarded-http-exchange.ts';
import { leavesHttps, readUrl } from './guarded-url.ts';
import { Http1Client } from './http1-client.ts';
import { OutgoingError } from './outgoing-error.ts';

const redirectStatuses = [301, 302, 303, 307, 308];
export const redirectsMax = 3;

export interface RouteOptions extends DispatchOptions {
  origins: readonly string[];
}

export class Routes {
  readonly #origins: readonly string[];
  readonly #dispatchers: Dispatchers;
  /** For what is the service's own; null where a proxy stands between. */
  readonly #direct: Http1Client | null;

  constructor(options: RouteOptions) {
    assert(options.origins.length > 0, 'the service has an origin');
    this.#origins = options.origins.map((origin) => new URL(origin).origin);
    this.#dispatchers = openDispatchers(options);
    this.#direct = options.proxy === null ? new Http1Client(options) : null;
  }

  get own(): Dispatchers['own'] {
    return this.#dispatchers.own;
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
    const { own, foreign, admit } = this.#dispatchers;
    if (this.isOwn(wanted.url)) {
      const direct = isOrdinary(wanted) ? this.#direct : null;
      return await (direct ? askDirectly(direct, wanted, signal) : exchange(own, wanted, signal));
    }
    await orAborted(admit(wanted.url.hostname), signal);
    return await exchange(foreign, wanted, signal);
  }

  async close(): Promise<void> {
    const { own, foreign } = this.#dispatchers;
    await Promise.all([own.close(), foreign.close(), this.#direct?.close()]);
  }
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
