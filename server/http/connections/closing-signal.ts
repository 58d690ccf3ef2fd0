import type { FastifyReply } from 'fastify';
import { endWait } from '../../lib/abort.ts';

/** Aborts when the client leaves before it has its answer, so that nothing is done for nobody. */
export function closingSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) endWait(gone);
  raw.once('close', () => {
    if (!raw.writableFinished) endWait(gone);
  });
  return gone.signal;
}
