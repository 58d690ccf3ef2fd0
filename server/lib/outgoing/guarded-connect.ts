/**
 * Connections to hosts that data names. What keeps them out of the networks behind this machine
 * happens when a connection is opened, not when a URL is read: the address is checked there, be it
 * written in the URL or an answer of DNS, and the connection goes to the address that was checked.
 */
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import {
  connectTimeoutMs,
  findAddresses,
  type MayConnect,
  NotPublicError,
  type ResolveHost,
} from './guarded-address.ts';

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
