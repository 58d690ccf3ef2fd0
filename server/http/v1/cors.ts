import type { FastifyReply, FastifyRequest } from 'fastify';

const exposedHeaders = [
  'x-request-id',
  'retry-after',
  'x-should-retry',
  'idempotent-replayed',
  'x-tintype-cost',
  'x-tintype-balance',
  'x-tintype-currency',
].join(', ');
const preflightMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const preflightAgeSeconds = 86_400;

/** Lets any web page call the API with a key it was given; cookies play no part in it. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', exposedHeaders);
}

/**
 * Lets every preflight pass, whether or not there is anything at the address that takes the method: a
 * page can read what is wrong with a request only when the request itself is answered. The headers
 * asked for are allowed as they come: a fixed list would break with each new header that an SDK sends.
 */
export function allowPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const asked = request.headers['access-control-request-headers'];
  if (asked !== undefined) reply.header('access-control-allow-headers', asked);
  reply
    .header('access-control-allow-methods', preflightMethods)
    .header('access-control-max-age', preflightAgeSeconds)
    .header('vary', 'access-control-request-headers');
}

/** An OPTIONS by which a browser asks for leave; any other asks what an address takes. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
