/**
 * Outgoing HTTP to a service that the operator configured, and to wherever its answers lead.
 *
 * The origins named when it is opened are the service's own: they may be private and are sent what
 * the caller says. Every other address came from data, so it must be https (http only if the
 * service itself is), is refused at connect time when it is not public, on each redirect too, and
 * never gets a credential.
 */
import type { FormData, WebSocket } from 'undici';
import { assert } from '../assert.ts';
import type { BodyPiece } from '../bytes/body-pieces.ts';
import { type ResolveHost, resolveByDns } from './guarded-address.ts';
import { type DownloadOptions, download } from './guarded-http-download.ts';
import { guardedFetch } from './guarded-http-fetch.ts';
import { Routes } from './guarded-http-routes.ts';
import type { SocketOptions } from './guarded-http-socket.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { refuseUnsendable } from './outgoing-request.ts';

export { OutgoingError, type OutgoingProblem } from './outgoing-error.ts';

export interface GuardedHttpOptions {
  /** `https://host:port`, of the service itself. */
  origins: readonly string[];
  /** `http://[user:password@]host:port` of a proxy that all of it goes through; null for none. */
  proxy: string | null;
  /** From the last byte of the request to the first of the answer. */
  firstByteMs: number;
  /** Longest silence within an answer. */
  idleMs: number;
  /** Every address of a host that is not the service's own; DNS by default. */
  resolve?: ResolveHost;
}

export interface GuardedHttp {
  /**
   * One request to the service's own origins. Answers of any status resolve, redirects included;
   * what prevents an answer rejects with an {@link OutgoingError}, or the signal's reason.
   */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer>;
  /** Fetches what an answer's URL leads to, by at most three redirects. */
  download(url: string, options: DownloadOptions): Promise<Buffer>;
  /**
   * The same guard as a standard `fetch`, for libraries that bring their own protocol code. It
   * rejects with an {@link OutgoingError} or the signal's reason, and so does reading the body,
   * which may have 64 MiB. Foreign origins are told no header that could be a credential.
   */
  fetch: typeof globalThis.fetch;
  /**
   * A WebSocket to the service's own origins, open when this resolves; it gives bytes as
   * ArrayBuffers and takes messages of up to 64 MiB. Rejects with the problem `connect` or `slow`.
   * The signal ends it at any time.
   */
  openSocket(url: URL, options: SocketOptions): Promise<WebSocket>;
  /** Takes nothing new, lets what runs end, then frees the connections; WebSockets stay. */
  close(): Promise<void>;
}

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  /** A list of pieces goes out as one body, of known length. A form becomes multipart. */
  body?: string | Buffer | readonly BodyPiece[] | FormData | globalThis.FormData;
}

export function openGuardedHttp(options: GuardedHttpOptions): GuardedHttp {
  const routes = new Routes({ resolve: resolveByDns, ...options });
  return {
    async send({ method, url, headers = {}, body = null }, signal) {
      assert(routes.isOwn(url), 'a request goes to an origin of the service');
      return await routes.ask({ method, url, headers, body }, signal);
    },
    download: (url, wish) => download(url, wish, routes),
    fetch: (input, init) => guardedFetch(routes, input, init),
    async openSocket(url, wish) {
      assert(routes.isOwn(url), 'a WebSocket goes to an origin of the service');
      refuseUnsendable(wish.headers ?? {});
      return await routes.openSocket(url, wish);
    },
    close: () => routes.close(),
  };
}
