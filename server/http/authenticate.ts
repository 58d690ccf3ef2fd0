import type { FastifyRequest } from 'fastify';
import { type KeyAccess, mayBeUsedFrom } from '../accounts/api-key.ts';
import type { KeyRing } from '../accounts/key-ring.ts';
import { unauthorizedMessage } from '../flows/requests/refused-admission.ts';
import { ServiceError } from '../lib/service-error.ts';
import { clientAddress } from './client-address.ts';

/**
 * Finds the API key of a request, before its body is read. Missing, malformed, unknown, revoked,
 * disabled and expired keys all get the same answer, and so does one that may not be used from here.
 */
export async function authenticate(
  request: FastifyRequest,
  { keys, noteKeyUse, trustedProxies }: KeyDeps,
): Promise<KeyAccess> {
  const secret = bearerOf(request.raw.rawHeaders);
  const access = secret === null ? null : await keys.find(secret);
  if (!access || !mayBeUsedFrom(access, () => clientAddress(request, trustedProxies))) {
    throw new ServiceError('unauthorized', unauthorizedMessage, { retryable: false });
  }
  noteKeyUse(access.apiKeyId);
  return access;
}

export interface KeyDeps {
  keys: KeyRing;
  /** Notes, soon, that a key was used. */
  noteKeyUse: (apiKeyId: string) => void;
  /** See `clientAddress`. */
  trustedProxies: number;
}

/** Raw headers, because Node keeps only the first of two Authorization headers. */
export function bearerOf(rawHeaders: readonly string[]): string | null {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  const match = /^bearer +(\S+) *$/i.exec(value);
  return match?.[1] ?? null;
}
