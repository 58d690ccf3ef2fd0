import type { FastifyRequest } from 'fastify';
import type { RunNote } from '../flows/requests/runs/run-watch.ts';

/** What becomes known of a request beyond its address and status, none of it the caller's words. */
export interface RequestFacts extends RunNote {
  userId: string | null;
  apiKeyId: string | null;
}

const facts = new WeakMap<FastifyRequest, RequestFacts>();

/** Those who answer a request write into it what they find; its line in the log shows it. */
export function factsOf(request: FastifyRequest): RequestFacts {
  const known = facts.get(request);
  if (known) return known;
  const fresh: RequestFacts = {
    userId: null,
    apiKeyId: null,
    operation: null,
    model: null,
    upstreamMs: null,
    madeAtMs: null,
    endedAtMs: null,
  };
  facts.set(request, fresh);
  return fresh;
}
