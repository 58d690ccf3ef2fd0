/**
 * Fetches what callers' URLs lead to, and posts to URLs that the operator configured.
 *
 * Callers may give pictures as URLs, so they choose whom this machine talks to; every connection is
 * guarded. Whatever fails, the caller gets one and the same message, so that nobody can map a
 * private network by it.
 */
import type { Clock } from '../clock.ts';
import { type MayConnect, type ResolveHost, resolveByDns } from './guarded-address.ts';
import { askNameServers } from './name-servers.ts';
import { isPublicAddress, parseAddressExceptions } from './public-address.ts';
import type { FetchImageOptions, PostOptions, PostOutcome } from './safe-fetch-requests.ts';

export interface SafeFetchOptions {
  clock: Clock;
  /** Addresses, ranges and host names that callers' URLs may lead to although they are private. */
  allowedPrivate?: readonly string[];
  /** Every address of a host; DNS by default. */
  resolve?: ResolveHost;
  /** Whom DNS is asked of: `127.0.0.1:5353`; by default the system's own. */
  nameServers?: readonly string[];
}

export interface SafeFetch {
  fetchImage: FetchImage;
  post: Post;
}

/**
 * Fetches what a caller's URL answers with. Throws a ServiceError that names `param` and nothing
 * else, or the signal's reason when that aborts.
 */
export type FetchImage = (url: string, options: FetchImageOptions) => Promise<Buffer>;

/**
 * Posts to a URL that the operator configured, which may therefore lead anywhere; only the status of
 * the answer is wanted, and a redirect is an answer like any other. Throws the signal's reason when
 * that aborts, and nothing else.
 */
export type Post = (url: string, options: PostOptions) => Promise<PostOutcome>;

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { clock, allowedPrivate = [], nameServers = null } = options;
  const exceptions = parseAddressExceptions(allowedPrivate);
  const askAsCallersWish = askNameServers(nameServers);
  // Of what the operator named, and of names without a dot, no caller has the name server.
  const isOurs = (host: string) => exceptions.includesHost(host) || !host.includes('.');
  const resolve: ResolveHost =
    options.resolve ?? ((host) => (isOurs(host) ? resolveByDns(host) : askAsCallersWish(host)));
  const mayConnect: MayConnect = (host, address) => {
    if (isPublicAddress(address)) return true;
    return exceptions.includesAddress(address) || exceptions.includesHost(host);
  };
  // With the library that sends them, which is large: many installations never need it.
  const requests = () => import('./safe-fetch-requests.ts');
  return {
    async fetchImage(url, wish) {
      const { fetchImage } = await requests();
      return await fetchImage(url, wish, { clock, resolve, mayConnect });
    },
    async post(url, wish) {
      const loaded = await requests().catch(() => null);
      if (loaded) return await loaded.post(url, wish, clock);
      return { kind: 'failed', reason: 'the library that connects could not be loaded' };
    },
  };
}
