/** Cookies that only the server reads, bound to it as tightly as the connection allows. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidRequest } from '../../../lib/service-error.ts';
import type { ConsoleDeps } from '../console-deps.ts';

export interface CookieCall {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** @param value null takes the cookie back */
export function writeCookie(
  { request, reply }: CookieCall,
  { name, value, ageMs }: { name: string; value: string | null; ageMs: number },
  deps: ConsoleDeps,
): void {
  const isSecure = isServedSecurely(request, deps);
  const age = value === null ? 0 : Math.floor(ageMs / 1000);
  const parts = [
    `${fullName(name, isSecure)}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    // Lax, not Strict: who comes back from an OpenID issuer must be signed in.
    'SameSite=Lax',
    `Max-Age=${age}`,
    ...(isSecure ? ['Secure'] : []),
  ];
  reply.header('set-cookie', parts.join('; '));
}

/**
 * Null when there is none, or it cannot be one of our secrets. Over https only the name counts that
 * browsers keep other hosts and plain http from setting: nobody can plant one.
 */
export function readCookie(
  request: FastifyRequest,
  name: string,
  deps: ConsoleDeps,
): string | null {
  const prefix = `${fullName(name, isServedSecurely(request, deps))}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = cookies.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? '';
  return /^[\w-]{43}$/.test(value) ? value : null;
}

function fullName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** Whether browsers reach the service by https, as far as it can know. */
export function isServedSecurely(request: FastifyRequest, { options }: ConsoleDeps): boolean {
  if (options.publicUrl !== null) return options.publicUrl.startsWith('https:');
  const forwarded = options.trustedProxies > 0 ? request.headers['x-forwarded-proto'] : undefined;
  return forwarded === 'https';
}

/** Where the browser has the service open, without a slash at the end. */
export function originOf(request: FastifyRequest, deps: ConsoleDeps): string {
  const { publicUrl } = deps.options;
  if (publicUrl !== null) return new URL(publicUrl).origin;
  const scheme = isServedSecurely(request, deps) ? 'https' : 'http';
  const origin = `${scheme}://${request.headers.host ?? 'localhost'}`;
  // What a Host header may be by its grammar is more than what an address can begin with.
  if (!URL.canParse(origin)) throw invalidRequest(null, 'The Host header names no address.');
  return origin;
}
