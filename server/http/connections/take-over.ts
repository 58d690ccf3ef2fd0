import type { FastifyReply } from 'fastify';

/** From here the answer is written to the bare response. */
export function takeOver(reply: FastifyReply): FastifyReply['raw'] {
  reply.hijack();
  return reply.raw;
}

/** What was set for the answer so far. */
export function headersOf(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders());
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}
