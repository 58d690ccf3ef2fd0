import type { FastifyReply, FastifyRequest } from 'fastify';
import { imageLimits } from '../../../shared/limits.ts';
import type { RequestHints } from '../../flows/requests/request-hints.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { closingSignal } from '../connections/closing-signal.ts';
import { noteIfTaken } from '../connections/handed-over.ts';
import { factsOf } from '../request-facts.ts';

/** What the headers say of the request as a whole. */
export function readHints(
  request: FastifyRequest,
  reply: FastifyReply,
): Omit<RequestHints, 'isRepeatOnly' | 'runCaller'> {
  return {
    traceId: request.id,
    idempotencyKey: readIdempotencyKey(request),
    isRetry: isRetry(request),
    note: factsOf(request),
    gone: closingSignal(reply),
    cut: () => {
      noteIfTaken(reply.raw);
      reply.raw.destroy();
    },
  };
}

const { idempotencyKeyCharactersMax } = imageLimits;
const printable = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  const isValid =
    typeof key === 'string' && key.length <= idempotencyKeyCharactersMax && printable.test(key);
  if (isValid) return key;
  throw invalidRequest(
    'Idempotency-Key',
    `Idempotency-Key must be 1 to ${idempotencyKeyCharactersMax} printable ASCII characters.`,
  );
}

/** The official SDKs count their automatic retries in this header. */
function isRetry(request: FastifyRequest): boolean {
  const count = request.headers['x-stainless-retry-count'];
  return typeof count === 'string' && /^[1-9]\d{0,3}$/.test(count);
}
