/**
 * Which addresses a host leads to, and whether they may be connected to: what guards connections to hosts that data
 * names.
 */
import { isIP } from 'node:net';
import { sharedLookup } from './shared-lookup.ts';

export const connectTimeoutMs = 10_000;

export type ResolveHost = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** `host` as it was asked for, a name or an address, and one address it leads to. */
export type MayConnect = (host: string, address: string) => boolean;

/** The guard's own refusal, as opposed to whatever else prevents a connection. */
export class NotPublicError extends Error {
  override readonly name = 'NotPublicError';
}

/**
 * The addresses of a host, an address itself included, all of them checked. One that is refused
 * spoils them all: a host with such an answer has nothing to do with pictures for us.
 */
export async function findAddresses(
  host: string,
  resolve: ResolveHost,
  mayConnect: MayConnect,
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
  const family = isIP(host);
  const [first, ...others] = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (!first) throw new Error('the name has no address');
  if (![first, ...others].every(({ address }) => mayConnect(host, address))) {
    throw new NotPublicError('an address is not public');
  }
  return [first, ...others];
}

/** By the system, once for all who wait for the same name. */
export function resolveByDns(host: string): Promise<readonly ResolvedAddress[]> {
  return new Promise((resolve, reject) => {
    sharedLookup(host, { all: true }, (error, found) => {
      if (error) reject(error);
      // All of them were asked for, which are a list.
      else resolve(found as ResolvedAddress[]);
    });
  });
}
