/**
 * Connections to hosts that data names. What keeps them out of the networks behind this machine
 * happens when a connection is opened, not when a URL is read: the address is checked there, be it
 * written in the URL or an answer of DNS, and the connection goes to the address that was checked.
 */
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

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

export function guardConnections(
  resolve: ResolveHost,
  mayConnect: MayConnect,
): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: connectTimeoutMs,
    lookup: guardLookup(resolve, mayConnect),
  });
  return (target, callback) => {
    // Node asks `lookup` for names only and takes an address as it stands; this is how it tells.
    if (isIP(target.hostname) !== 0 && !mayConnect(target.hostname, target.hostname)) {
      callback(new NotPublicError('the address is not public'), null);
      return;
    }
    connect(target, callback);
  };
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

/** Resolves a name once and gives out only addresses that were checked. */
function guardLookup(resolve: ResolveHost, mayConnect: MayConnect): LookupFunction {
  return (host, options, callback) => {
    void findAddresses(host, resolve, mayConnect).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

export function resolveByDns(host: string): Promise<readonly ResolvedAddress[]> {
  return lookup(host, { all: true });
}
