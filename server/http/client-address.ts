import type { FastifyRequest } from 'fastify';
import { parseIpAddress } from '../lib/ip-address.ts';

/**
 * The network address of whoever asks, in one spelling: what the limits of API keys and the throttle
 * of signing in go by. Null when it cannot be told; then nothing that asks for an address lets the
 * request pass.
 *
 * Without a trusted proxy it is the connection's other end, and headers say nothing: anybody can
 * write them. With `TINTYPE_TRUSTED_PROXIES` proxies, each of which adds the address that it saw to
 * the end of `x-forwarded-for`, it is the entry which the outermost of them added. What stands before
 * it came from the client. With fewer entries than proxies the first one counts: the request did not
 * come through all of them.
 */
export function clientAddress(request: FastifyRequest, trustedProxies: number): string | null {
  const forwarded = trustedProxies === 0 ? [] : forwardedAddresses(request);
  const seen = forwarded.at(-trustedProxies) ?? forwarded[0];
  if (seen !== undefined) return parseIpAddress(withoutPort(seen));
  return parseIpAddress(request.raw.socket.remoteAddress ?? '');
}

function forwardedAddresses({ headers }: FastifyRequest): readonly string[] {
  const header = headers['x-forwarded-for'];
  if (header === undefined) return [];
  return [header].flat().flatMap((line) => line.split(',').map((entry) => entry.trim()));
}

/** Some proxies add the port: `203.0.113.7:51234`, `[2001:db8::7]:51234`. */
function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry) ?? [];
  return bracketed ?? plain ?? entry;
}
