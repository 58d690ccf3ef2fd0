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
const preflightAgeSeconds = 86_400;

/** Lets any web page call the API with a key it was given; cookies play no part in it. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', exposedHeaders);
}

/**
 * Lets a preflight pass. The headers asked for are allowed as they come: a fixed list would break
 * with each new header that an SDK sends.
 */
export function allowPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): void {
  const asked = request.headers['access-control-request-headers'];
  if (asked !== undefined) reply.header('access-control-allow-headers', asked);
  reply
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-max-age', preflightAgeSeconds)
    .header('vary', 'access-control-request-headers');
}
