import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../../server/lib/clock.ts';
import type { ResolveHost } from '../../../server/lib/outgoing/guarded-address.ts';
import { createSafeFetch } from '../../../server/lib/outgoing/safe-fetch.ts';
import { ServiceError } from '../../../server/lib/service-error.ts';

/** The field that the URLs of these tests stand in. */
export const param = 'images[0].image_url';

/** The one error that every fetch that fails ends in. */
export const fetchRefused: unknown = expect.objectContaining({
  name: 'ServiceError',
  code: 'invalid_request_error',
  param,
  message:
    'images[0].image_url could not be fetched. It must be a public http(s) URL that answers ' +
    'with the picture itself: at most 1000 bytes, within 10 seconds.',
});

/** A server on loopback that somebody's URL may lead to. It lasts as long as the test. */
export async function serveToFetch(answer: RequestListener) {
  const requests: { url: string | undefined; headers: object }[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    answer(request, response);
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, port, requests, connections: () => connections, close };
}

export interface LocalFetchOptions {
  clock?: Clock;
  bytesMax?: number;
  signal?: AbortSignal;
}

/** Fetches with loopback allowed, so that the test's own servers can be reached. */
export function fetchLocal(url: string, options: LocalFetchOptions = {}): Promise<Buffer> {
  const { clock = systemClock, ...rest } = options;
  const { fetchImage } = createSafeFetch({ clock, allowedPrivate: ['127.0.0.1'] });
  return fetchImage(url, { param, bytesMax: 1000, ...rest });
}

/** The error a fetch ends in; null when it ends in bytes. */
export async function errorOf(fetched: Promise<Buffer>): Promise<ServiceError | null> {
  try {
    await fetched;
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** DNS that answers every question with these addresses. */
export function answersOfDns(...addresses: string[]): ResolveHost {
  return async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

export function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location }).end();
}
