import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyAccess } from '../accounts/api-key.ts';

/** A request and the reply to it, as a route gets them. */
export interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** One by the holder of an API key. */
export interface KeyCall extends Call {
  caller: KeyAccess;
  /** Checks the key again, once the body is there; throws when it is no longer valid. */
  admitAgain: () => Promise<unknown>;
}
