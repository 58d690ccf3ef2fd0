import { type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Told = Parameters<LookupFunction>[2];

/**
 * Looks up each name once at a time, however many wait for it. The system looks up two names at a time, in threads, and
 * keeps them for as long as nobody answers: the calls to an upstream whose name servers are away would keep those to all
 * others waiting.
 */
export function shareLookups(
  lookUp: (host: string, options: LookupOptions, told: Told) => void,
): LookupFunction {
  const underWay = new Map<string, Told[]>();
  return (host, options, told) => {
    // Who wants addresses of one kind only waits for those.
    const wish = JSON.stringify([host, options]);
    const waiting = underWay.get(wish);
    if (waiting) {
      waiting.push(told);
      return;
    }
    const everybody = [told];
    underWay.set(wish, everybody);
    lookUp(host, options, (...answer) => {
      underWay.delete(wish);
      for (const each of everybody) each(...answer);
    });
  };
}

/** For services and proxies that the operator configured, and the addresses that answers of services lead to. */
export const sharedLookup = shareLookups(lookup);
