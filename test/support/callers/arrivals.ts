import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { must } from '../../../server/lib/assert.ts';

/** A request as it reached the service. */
export interface Arrival {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The status it was answered with; null when its client left before. */
  answered: Promise<number | null>;
}

type Caller = { apiKey: string };

/** Watches a service for the length of the describe block. */
export function watchArrivals(service: () => { baseUrl: string }): () => Arrivals {
  let arrivals: Arrivals | null = null;
  beforeAll(() => {
    arrivals = new Arrivals(service().baseUrl);
  });
  afterAll(() => arrivals?.stop());
  return () => must(arrivals, 'a service that is watched');
}

/**
 * Sees every request that reaches a service of this process, so that a test can count what a client
 * sends behind its caller's back. Neither the client nor the service knows of it.
 */
export class Arrivals {
  readonly #host: string;
  readonly #seen: Arrival[] = [];
  #watchers: (() => void)[] = [];

  constructor(baseUrl: string) {
    this.#host = new URL(baseUrl).host;
    subscribe(channel, this.#note);
  }

  /** What came with this user's key, the first first. */
  of({ apiKey }: Caller): readonly Arrival[] {
    return this.#seen.filter(({ headers }) => headers.authorization === `Bearer ${apiKey}`);
  }

  /** The user's request of this number, from 1, as soon as it is there. */
  async nth(user: Caller, number: number): Promise<Arrival> {
    while (this.of(user).length < number) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
    return must(this.of(user)[number - 1], `request ${number}`);
  }

  stop(): void {
    unsubscribe(channel, this.#note);
  }

  readonly #note = (message: unknown): void => {
    // Node documents this shape for the channel.
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.headers.host !== this.#host) return;
    const { method = '', url = '', headers } = request;
    const answered = new Promise<number | null>((resolve) => {
      response.once('close', () => resolve(response.writableFinished ? response.statusCode : null));
    });
    this.#seen.push({ method, path: url, headers, answered });
    for (const tell of this.#watchers.splice(0)) tell();
  };
}

const channel = 'http.server.request.start';
