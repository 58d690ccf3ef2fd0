import type { FastifyReply } from 'fastify';

/** Aborts when the client leaves before it has its answer, so that nothing is done for nobody. */
export function closingSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { raw } = reply;
  if (raw.destroyed) gone.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
